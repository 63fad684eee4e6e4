"""One Spark session for the whole run, classic and Connect, and the fixture of its modes."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(1, str(HERE.parent))

from modes import MODES, set_to  # noqa: E402

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.session import SparkSession as ConnectSession

HAS_SPARK = importlib.util.find_spec("pyspark") is not None
HAS_DELTA = HAS_SPARK and importlib.util.find_spec("delta") is not None
_DELTA = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.databricks.delta.snapshotPartitions": "2",
}
# a locale that writes 1,5 and 1.000; Java's first compiler alone, since a test runs its plan once, with
# as much room for code as both would have; and a collector that does not compete for the two cores
_JAVA = (
    "-Duser.language=de -Duser.country=DE"
    " -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m -XX:+UseSerialGC -Xmn768m"
)
# Spark 4 brings the server's jar, 3.5 does not
_CONNECT = {
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
    "spark.connect.grpc.binding.port": "0",
}


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers of this folder."""
    config.addinivalue_line("markers", "delta: needs Delta Lake in this Spark")
    config.addinivalue_line("markers", "spark4(*minor): needs Spark 4, or 4.minor")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip by name what lies here, where there is no Spark, or no Delta for it."""
    for item in items:
        if HERE not in item.path.parents:
            continue
        if not HAS_SPARK:
            item.add_marker(pytest.mark.skip(reason="needs pyspark"))
        elif item.get_closest_marker("delta") and not HAS_DELTA:
            item.add_marker(pytest.mark.skip(reason="needs delta-spark, which this Spark has not"))
        elif (least := item.get_closest_marker("spark4")) and _version() < (4, *least.args):
            item.add_marker(pytest.mark.skip(reason="needs a later Spark"))


def _version() -> tuple[int, ...]:
    import pyspark

    return tuple(int(part) for part in pyspark.__version__.split(".")[:2])


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A classic local session; a Connect server listens in the same JVM (`connect`)."""
    from pyspark.sql import SparkSession

    # the interpreter of these tests, not the one that stands first on the path
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ.pop("SPARK_REMOTE", None)
    builder = SparkSession.builder.master("local[2]").appName("ods-fingerprint tests")
    for name, value in _settings(tmp_path_factory.mktemp("warehouse")).items():
        builder = builder.config(name, value)
    session = _with_jars(builder).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


def _settings(warehouse: Path) -> dict[str, str]:
    return {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.driver.memory": "3g",
        # what it keeps for a page that no one opens: the plans of hundreds of wide statements
        "spark.sql.ui.retainedExecutions": "5",
        "spark.ui.retainedJobs": "50",
        "spark.ui.retainedStages": "50",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": _JAVA,
        "spark.sql.warehouse.dir": str(warehouse),
        **(_CONNECT if _version() >= (4,) else {}),
        **(_DELTA if HAS_DELTA else {}),
    }


def _with_jars(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Add the jars of Delta, which Ivy fetches once."""
    if not HAS_DELTA:
        return builder
    from delta import configure_spark_with_delta_pip

    return configure_spark_with_delta_pip(builder)


@pytest.fixture(scope="session")
def connect(spark: SparkSession) -> Iterator[ConnectSession]:
    """A Spark Connect session to the same Spark."""
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    service = getattr(
        spark.sparkContext._jvm.org.apache.spark.sql.connect.service, "SparkConnectService$"
    )
    port = getattr(service, "MODULE$").localPort()
    session = ConnectSession.builder.remote(f"sc://127.0.0.1:{port}").create()
    yield session
    session.client.close()


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest, spark: SparkSession) -> Iterator[str]:
    """Run a test with ANSI on in New York, and with ANSI off in Kolkata."""
    with set_to(spark, MODES[request.param]):
        yield request.param
