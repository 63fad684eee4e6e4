"""The vectors asked of Spark by its own statement, and each template of its file broken in turn."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from broken_templates import BROKEN, broken, named_wrong, related
from dialect_files import shipped, written
from modes import MODES, set_to

import ods_fingerprint as ods
from ods_fingerprint.conform import conform
from ods_fingerprint.judge import judge
from ods_fingerprint.runners.conforming import answers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.mark.usefixtures("mode")
def test_every_vector_that_spark_can_express_is_right(spark: SparkSession) -> None:
    found = ods.conform("spark", run=spark)
    assert found.failures == ()
    assert found.asked >= 298
    assert spark.version in json.loads(str(found.evidence).removeprefix("versions = "))


@pytest.mark.spark4
def test_a_connect_session_answers_too(connect: SparkSession) -> None:
    asked = conform("databricks", only=related("text", "decimal_fine"))
    assert judge(asked, answers(connect, asked))


@pytest.mark.one_version
@pytest.mark.parametrize(("part", "key"), broken("spark"))
def test_a_broken_template_fails_and_names_a_vector_of_it(
    part: str, key: str, spark: SparkSession, tmp_path: Path
) -> None:
    """A breakage that one mode hides shows in the other: 0E-7 is of ANSI off."""
    for template in BROKEN["spark"][part, key]:
        root = shipped("spark")
        root[part][key] = template
        file = written(root, tmp_path)
        found = _judged(spark, file, _few(part, key))
        assert any(named_wrong(part, key, one) for one in found), template


def _judged(spark: SparkSession, file: str, only: frozenset[str]) -> Iterator[ods.Judgement]:
    """Yield what each mode answers; where Spark refuses the whole, what it says of one at a time."""
    refused = True
    for name in MODES:
        one = _in_mode(spark, name, conform(file, only=only))
        if one is not None:
            refused = False
            yield one
    if refused and len(only) > 1:
        for vector in sorted(only):
            yield from _judged(spark, file, frozenset([vector]))


def _few(part: str, key: str) -> frozenset[str]:
    """Return vectors that ask a template, without the hundreds that take Spark a minute."""
    if part == "text":
        return related(part, key)
    return frozenset(
        name
        for name in related(part, key)
        if name.startswith(("float", "names")) or name < "columns-006" or name == "columns-045"
    )


def _in_mode(spark: SparkSession, name: str, asked: ods.Conform) -> ods.Judgement | None:
    """Return the judgement, or None where Spark itself refuses: a sum that overflows under ANSI."""
    with set_to(spark, MODES[name]):
        try:
            return judge(asked, answers(spark, asked))
        except ods.SourceError as refused:
            if "overflow" not in str(refused).lower():
                raise
            return None
