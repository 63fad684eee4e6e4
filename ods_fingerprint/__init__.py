"""Whether two tables on two engines hold the same data: fingerprint v1, one row of numbers."""

from ._version import VERSION as __version__
from .compare import Comparison, Difference, Remark, compare
from .conform import Conform
from .errors import (
    CompileError,
    DialectError,
    FingerprintError,
    NotCovered,
    OdsError,
    ResultError,
    SchemaError,
    SourceError,
)
from .fingerprint import ColumnFigures, Fingerprint
from .front import compute, conform, sql, statements
from .judge import Judgement
from .schema import Column, Schema

__all__ = [
    "Column",
    "ColumnFigures",
    "Comparison",
    "CompileError",
    "Conform",
    "DialectError",
    "Difference",
    "Fingerprint",
    "FingerprintError",
    "Judgement",
    "NotCovered",
    "OdsError",
    "Remark",
    "ResultError",
    "Schema",
    "SchemaError",
    "SourceError",
    "__version__",
    "compare",
    "compute",
    "conform",
    "sql",
    "statements",
]
