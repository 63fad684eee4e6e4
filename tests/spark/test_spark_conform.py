"""The vectors asked of Spark by its own statement, and each template of its file broken in turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from broken_templates import BROKEN, broken, named_wrong, related, with_broken
from dialect_files import written
from modes import MODES, set_to

import ods_fingerprint as ods
from ods_fingerprint.conform import conform
from ods_fingerprint.judge import judge
from ods_fingerprint.runners.conforming import answers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_AT_ONCE = 8


def test_every_vector_that_spark_can_express_is_right(spark: SparkSession) -> None:
    """In the mode that is not this Spark's own; test_spark_vectors has the literals in both."""
    with set_to(spark, MODES["plain_kolkata" if spark.version >= "4" else "ansi_new_york"]):
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
        file = written(with_broken("spark", part, key, template), tmp_path)
        found = _judged(spark, file, _few(part, key))
        assert any(named_wrong(part, key, one) for one in found), template


def _judged(spark: SparkSession, file: str, only: Sequence[str]) -> Iterator[ods.Judgement]:
    """Yield what each mode answers, a few vectors at a time: what fails among them fails among all.

    Where Spark refuses a statement in both modes, yield what it says of one vector at a time.
    """
    for start in range(0, len(only), _AT_ONCE):
        few = only[start : start + _AT_ONCE]
        refused = True
        for name in MODES:
            one = _in_mode(spark, name, conform(file, only=frozenset(few)))
            if one is not None:
                refused = False
                yield one
        if refused and len(few) > 1:
            for vector in few:
                yield from _judged(spark, file, [vector])


def _few(part: str, key: str) -> list[str]:
    """Return vectors that ask a template, without the hundreds that take Spark a minute."""
    if part == "text":
        return sorted(related(part, key))
    return sorted(
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
