"""What is built, and what an installation of it finds: wheel, sdist, editable checkout, zipped import."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
EXTRAS = {"duckdb", "delta", "spark", "snowflake", "databricks", "polars", "pandas", "all"}
# folder of the checkout → its place in the wheel
DATA = {
    "dialects": "ods_fingerprint/dialects",
    "spec/schemas": "ods_fingerprint/spec/schemas",
    "spec/vectors": "ods_fingerprint/spec/vectors",
}
CORE = {"sqlglot", "click"} | ({"tomli"} if sys.version_info < (3, 11) else set())

needs_dist = pytest.mark.skipif(
    len(list(DIST.glob("*.whl"))) != 1, reason="needs dist/, which make builds"
)


def _wheel() -> Path:
    (found,) = DIST.glob("*.whl")
    return found


def _sdist() -> Path:
    (found,) = DIST.glob("*.tar.gz")
    return found


def _metadata() -> Message:
    with zipfile.ZipFile(_wheel()) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(wheel.read(name).decode("utf-8"))


def _files(folder: str) -> list[Path]:
    found = (ROOT / folder).rglob("*")
    return sorted(path for path in found if path.is_file() and "__pycache__" not in path.parts)


def _expected() -> dict[str, Path]:
    """Return what the wheel must hold → the file of the checkout that it is."""
    found = {str(path.relative_to(ROOT)): path for path in _files("ods_fingerprint")}
    for folder, place in DATA.items():
        for path in _files(folder):
            found[f"{place}/{path.relative_to(ROOT / folder)}"] = path
    for name in ("v1.md", "reference.py"):
        found[f"ods_fingerprint/spec/{name}"] = ROOT / "spec" / name
    return found


@needs_dist
def test_the_wheel_holds_the_package_and_its_data_and_nothing_else() -> None:
    expected = _expected()
    assert "ods_fingerprint/py.typed" in expected
    assert "ods_fingerprint/dialects/duckdb.toml" in expected
    with zipfile.ZipFile(_wheel()) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        assert names == set(expected)
        for name, path in expected.items():
            assert wheel.read(name) == path.read_bytes(), name
        (licence,) = [name for name in wheel.namelist() if name.endswith("licenses/LICENSE")]
        assert wheel.read(licence) == (ROOT / "LICENSE").read_bytes()


@needs_dist
def test_the_core_needs_sqlglot_and_click_and_the_extras_are_as_promised() -> None:
    metadata = _metadata()
    assert set(metadata.get_all("Provides-Extra", [])) == EXTRAS
    needed = metadata.get_all("Requires-Dist", [])
    core = {re.split(r"[^\w-]", line)[0] for line in needed if "extra ==" not in line}
    assert core == {"sqlglot", "click", "tomli"}
    assert [line for line in needed if line.startswith("tomli")] == [
        "tomli>=2; python_version < '3.11'"
    ]
    assert metadata["License-Expression"] == "Apache-2.0"


@needs_dist
def test_the_sdist_holds_the_sources_and_no_build() -> None:
    with tarfile.open(_sdist()) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    documents = [
        "README",
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
        "CITATION.cff",
    ]
    wanted = {str(path.relative_to(ROOT)) for path in _expected().values()}
    wanted |= {"LICENSE", "README.md", "Makefile", "pyproject.toml", *documents[2:]}
    assert wanted <= names
    tops = {name.partition("/")[0] for name in names}
    assert not tops & {"proof", "dist", "build", ".envs", ".git", ".ci", ".hypothesis"}
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".so"))]


def _python(*arguments: object, python: Path | str = sys.executable, **env: str) -> str:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(python), *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**kept, **env},
        cwd="/",
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


_WHERE = "import ods_fingerprint; print(ods_fingerprint.__file__)"


def _conform(dialect: str, python: Path | str = sys.executable, **env: str) -> str:
    """Return a statement that is made of a dialect file and the vectors of the spec."""
    return _python("-m", "ods_fingerprint", "conform", "--dialect", dialect, python=python, **env)


@pytest.fixture(scope="module")
def of_the_checkout() -> dict[str, str]:
    found = {name: _conform(name, PYTHONPATH=str(ROOT)) for name in ("duckdb", "databricks")}
    assert all(text.count("SELECT") and len(text) > 10_000 for text in found.values())
    return found


@needs_dist
def test_a_zipped_import_finds_dialects_and_vectors(of_the_checkout: dict[str, str]) -> None:
    wheel = str(_wheel())
    assert _python("-c", _WHERE, PYTHONPATH=wheel).startswith(f"{wheel}/ods_fingerprint/")
    for dialect, text in of_the_checkout.items():
        assert _conform(dialect, PYTHONPATH=wheel) == text


def _environment(folder: Path, *install: object) -> Path:
    """Return the Python of a new environment into which pip installed this alone."""
    _python("-m", "venv", folder)
    python = folder / "bin" / "python"
    _python(
        "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *install, python=python
    )
    return python


def _installed(python: Path) -> set[str]:
    listed = _python("-m", "pip", "list", "--format=freeze", python=python).split()
    names = {line.partition("==")[0].lower().replace("_", "-") for line in listed}
    return names - {"pip", "setuptools", "ods-fingerprint"}


@pytest.mark.slow
@pytest.mark.one_version
def test_an_editable_checkout_and_an_installed_sdist_find_the_same(
    of_the_checkout: dict[str, str], tmp_path: Path
) -> None:
    sources = {"editable": ("-e", ROOT)}
    if DIST.is_dir():
        sources["sdist"] = (_sdist(),)  # type: ignore[assignment]
    for name, install in sources.items():
        python = _environment(tmp_path / name, *install)
        assert _installed(python) == CORE
        outside = not _python("-c", _WHERE, python=python).startswith(str(ROOT))
        assert outside == (name == "sdist")
        for dialect, text in of_the_checkout.items():
            assert _conform(dialect, python=python) == text


def _tracked() -> list[Path]:
    """Return the files of the checkout as git lists them, or all of an unpacked sdist."""
    if not (ROOT / ".git").exists():
        return [path for folder in ("ods_fingerprint", "tests") for path in _files(folder)]
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    names = listed.stdout.decode("utf-8").split("\0")[:-1]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


# where packages come from is a setting of whoever installs
_REGISTRY = re.compile(
    rb"(index|registry)[-_ ]?url|--(extra-)?index|files\.python"
    rb"hosted|registry\.npm"
    rb"js"
    rb"|(test\.)?py"
    rb"pi\.org|repo1?\.maven|maven\.org|https?://[^\s)>\"']*/simple/?\b",
    re.IGNORECASE,
)


def test_no_file_holds_the_address_of_a_registry() -> None:
    tracked = _tracked()
    assert len(tracked) > 100
    found = {
        path: _REGISTRY.findall(path.read_bytes()) for path in tracked if path != Path(__file__)
    }
    assert not {str(path): hits for path, hits in found.items() if hits}
    for address in (b"--index-url x", b"https://pypi.org/simple", b"https://a.example/simple/"):
        assert _REGISTRY.search(address)
    locks = {"uv.lock", "poetry.lock", "pdm.lock", "package-lock.json", "Pipfile.lock"}
    assert not locks & {path.name for path in tracked}


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """Return a small repository with the release script, whose `make test` only says that it ran."""
    for name in (".ci/release", "ods_fingerprint/_version.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / ".ci" / "release").chmod(0o755)
    (tmp_path / "Makefile").write_text("test:\n\tmkdir dist; touch dist/a.whl dist/a.tar.gz\n")
    (tmp_path / ".gitignore").write_text("dist/\n")
    (tmp_path / "CHANGELOG.md").write_text("## Unreleased\n")
    _git(tmp_path, "init", "--quiet")
    _commit(tmp_path)
    return tmp_path


def _git(folder: Path, *arguments: str) -> None:
    given = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *given, *arguments], cwd=folder, check=True)


def _commit(folder: Path) -> None:
    _git(folder, "add", "--all")
    _git(folder, "commit", "--quiet", "-m", "x")


def _release(folder: Path) -> tuple[int, str, str]:
    done = subprocess.run([folder / ".ci" / "release"], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_a_release_is_refused_where_something_is_wrong(release: Path) -> None:
    version = re.findall(r'"([\d.]+)"', (release / "ods_fingerprint/_version.py").read_text())[0]
    code, _, error = _release(release)
    assert (code, "no heading" in error) == (2, True)
    (release / "CHANGELOG.md").write_text(f"## {version} 2026-11-30\n")
    code, _, error = _release(release)
    assert (code, "not committed" in error) == (2, True)
    _commit(release)
    code, out, _ = _release(release)
    assert (code, f"git tag --sign v{version} " in out, "a.tar.gz a.whl" in out) == (0, True, False)
    assert "a.whl a.tar.gz" in out
    _git(release, "tag", f"v{version}")
    code, _, error = _release(release)
    assert (code, "raise VERSION" in error) == (2, True)
