"""The errors that this library raises on purpose: catch `OdsError` to catch them all.

OdsError                 what is wrong, what was given, what would do
├── SchemaError          a type, a column name or a schema text
│   └── NotCovered       columns that version 1 does not cover, refused because of `strict`
├── DialectError         a dialect that is unknown, or a dialect file with a fault
├── CompileError         a statement that cannot be made
├── SourceError          data that cannot be read, or not rightly
├── ResultError          what an engine returned is not a fingerprint row
└── FingerprintError     a stored fingerprint that is damaged, or of an unknown version
"""

from __future__ import annotations

import reprlib

_BRIEF = reprlib.Repr()
_BRIEF.maxlevel = 2
_BRIEF.maxstring = _BRIEF.maxother = 80


def brief(given: object) -> str:
    """Return what was given, short enough to stand in a message."""
    return _BRIEF.repr(given)


def first_line(error: Exception) -> str:
    """Return what an error of another library says, without the advice that follows."""
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__


class OdsError(Exception):
    """Something that the caller can mend; the text says what is wrong and what would do."""


class SchemaError(OdsError):
    """A type, a column name or a schema text that is not one."""


class NotCovered(SchemaError):
    """Columns that version 1 does not cover in full, all of them named (R19)."""


class DialectError(OdsError):
    """An unknown dialect, or a dialect file that names its faulty key."""


class CompileError(OdsError):
    """A statement that cannot be made from this schema, table or dialect."""


class SourceError(OdsError):
    """Data that cannot be read, or that no reader here would read rightly."""


class ResultError(OdsError):
    """A row that is not the fingerprint row that was asked for."""


class FingerprintError(OdsError):
    """A fingerprint that contradicts itself, or of a version that is not known here."""
