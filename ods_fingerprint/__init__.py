"""Whether two tables on two engines hold the same data: fingerprint v1, one row of numbers."""

from ._version import VERSION as __version__
from .compare import Comparison, Difference, Remark, compare
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
from .front import compute, sql, statements
from .schema import Column, Schema

__all__ = [
    "Column",
    "ColumnFigures",
    "Comparison",
    "CompileError",
    "DialectError",
    "Difference",
    "Fingerprint",
    "FingerprintError",
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
    "sql",
    "statements",
]
