"""The twelve checks, in the order of the description."""

from __future__ import annotations

from .beside import every as info
from .data import fingerprints_match, rows_identical, rows_match, schema_match
from .facts import Check, Facts, Finding, Side
from .governance import (
    access_d11,
    declared_schema,
    delta_protocol,
    one_writer,
    profile_no_leak,
    sensitivity_floor,
    tags_carried,
)

# the eleven that run before the sandbox is deleted
EVERY = (
    Check("rows_match", "data", "every step has the generated row count", rows_match),
    Check(
        "schema_match",
        "data",
        "both Delta tables have the generated names and types",
        schema_match,
    ),
    Check(
        "fingerprints_match",
        "data",
        "every step's fingerprint equals the generated data's",
        fingerprints_match,
    ),
    Check(
        "rows_identical",
        "data",
        "the last read equals the generated data, row by row and bit by bit",
        rows_identical,
    ),
    Check(
        "declared_schema",
        "governance",
        "both tables match the declared column schema",
        declared_schema,
    ),
    Check(
        "tags_carried",
        "governance",
        "the declared tags and descriptions are inside the Delta files",
        tags_carried,
    ),
    Check(
        "sensitivity_floor",
        "governance",
        "no carried tag is weaker than declared, at any version",
        sensitivity_floor,
    ),
    Check(
        "profile_no_leak",
        "governance",
        "profiles of confidential columns hold counts only, and no statistics quote them",
        profile_no_leak,
    ),
    Check(
        "delta_protocol",
        "governance",
        "each engine read the other's protocol and table features",
        delta_protocol,
    ),
    Check(
        "one_writer",
        "governance",
        "every commit on each table is by the expected engine",
        one_writer,
    ),
    Check(
        "access_d11",
        "governance",
        "never yet: access enforcement on-prem is deferred",
        access_d11,
        "warning",
    ),
)
SANDBOX = Check(
    "sandbox_discarded",
    "governance",
    "the sandbox is empty afterwards",
    lambda _: None,
)
NAMES = (*(check.name for check in EVERY), SANDBOX.name)

__all__ = ["EVERY", "NAMES", "SANDBOX", "Check", "Facts", "Finding", "Side", "info"]
