"""A Delta table at one version as a stream of Arrow batches, read rightly or refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ods_fingerprint.delta_log import AddFile, Snapshot
from ods_fingerprint.errors import SourceError, first_line

try:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from . import deletion_vector, delta_partition, int96, rebase
    from .delta_types import Column, accepts, table_columns
except ImportError as error:
    if (error.name or "").partition(".")[0] != "pyarrow":
        raise
    raise SourceError(
        "a Delta table needs pyarrow: pip install 'ods-fingerprint[delta]'"
    ) from error

if TYPE_CHECKING:
    from pyroaring import BitMap64

BATCH_ROWS = 32_768
_READ_BUFFER = 1 << 20


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is read of every file: `wanted` in table order, of `every` column that the table has."""

    snapshot: Snapshot
    every: tuple[Column, ...]
    wanted: tuple[Column, ...]
    schema: pa.Schema

    @property
    def widening(self) -> bool:
        features = self.snapshot.protocol.reader_features or ()
        return any(feature.startswith("typeWidening") for feature in features)


def batches(
    snapshot: Snapshot, columns: Sequence[str] | None = None
) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """Return the Arrow schema of the named columns, in table order, and their batches, read lazily.

    A struct inside a column goes by its physical names, also where columns are mapped by id.
    """
    plan = _plan(snapshot, columns)
    return plan.schema, (batch for file in snapshot.files for batch in _file(plan, file))


def _plan(snapshot: Snapshot, names: Sequence[str] | None) -> _Plan:
    every = table_columns(snapshot)
    unknown = sorted(set(names or ()) - {column.name for column in every})
    if unknown:
        raise SourceError(
            f"{snapshot.path} has no column {', '.join(unknown)};"
            f" it has {', '.join(column.name for column in every)}"
        )
    wanted = tuple(column for column in every if names is None or column.name in names)
    schema = pa.schema([pa.field(column.name, column.type) for column in wanted])
    return _Plan(snapshot, every, wanted, schema)


def _file(plan: _Plan, file: AddFile) -> Iterator[pa.RecordBatch]:
    try:
        with pq.ParquetFile(
            file.path,
            coerce_int96_timestamp_unit="us",
            pre_buffer=False,
            buffer_size=_READ_BUFFER,
            page_checksum_verification=True,
        ) as source:
            yield from _rows(plan, file, source)
    except FileNotFoundError as error:
        raise SourceError(f"the data file {file.path} is missing") from error
    except (pa.ArrowException, OSError) as error:
        raise SourceError(
            f"the data file {file.path} cannot be read: {first_line(error)}"
        ) from error


def _rows(plan: _Plan, file: AddFile, source: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    rows = source.metadata.num_rows
    if file.num_records is not None and file.num_records != rows:
        raise SourceError(f"{file.path} has {rows} rows, the log says {file.num_records}")
    deleted = _deleted(plan, file, rows)
    constants = _constants(plan, file)
    found = _locate(plan, file, source.schema_arrow)
    _refuse_int96(file, source, set(found.values()))
    old_calendar = rebase.of_file(source, file.path)
    start = 0
    for batch in source.iter_batches(BATCH_ROWS, columns=sorted(set(found.values()))):
        old_calendar.refuse(batch)
        arrays = [_array(plan, file, batch, column, found, constants) for column in plan.wanted]
        made = _batch(plan, arrays, batch.num_rows)
        yield made if deleted is None else made.filter(_kept(deleted, start, batch.num_rows))
        start += batch.num_rows
    if start != rows:
        raise SourceError(f"{file.path} gave {start} rows, its footer says {rows}")


def _batch(plan: _Plan, arrays: list[pa.Array], rows: int) -> pa.RecordBatch:
    if arrays:
        return pa.RecordBatch.from_arrays(arrays, schema=plan.schema)
    empty = pa.StructArray.from_buffers(pa.struct([]), rows, [None])
    return pa.RecordBatch.from_struct_array(empty)


def _array(
    plan: _Plan,
    file: AddFile,
    batch: pa.RecordBatch,
    column: Column,
    found: dict[str, str],
    constants: dict[str, pa.Scalar],
) -> pa.Array:
    if column.partition:
        return pa.repeat(constants[column.name], batch.num_rows)
    if column.name not in found:
        return pa.nulls(batch.num_rows, column.type)
    array = batch.column(found[column.name])
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    try:
        stored = array if array.type == column.stored else array.cast(column.stored)
        return stored if column.stored == column.type else stored.view(column.type)
    except pa.ArrowException as error:
        raise SourceError(f"{_mismatch(file, column, array.type)}: {first_line(error)}") from error


def _mismatch(file: AddFile, column: Column, kind: pa.DataType) -> str:
    return (
        f"{file.path}: the column {column.name!r} is {kind} in the file,"
        f" which does not fit the {column.type} of the table"
    )


def _kept(deleted: BitMap64, start: int, rows: int) -> pa.Array:
    """Return which of the rows from `start` on are not deleted."""
    kept = bytearray(b"\1" * rows)
    for position in deleted.intersection(type(deleted)(range(start, start + rows))):
        kept[position - start] = 0
    return pa.Array.from_buffers(pa.uint8(), rows, [None, pa.py_buffer(kept)]).cast(pa.bool_())


def _deleted(plan: _Plan, file: AddFile, rows: int) -> BitMap64 | None:
    if file.deletion_vector is None:
        return None
    where = f"the deletion vector of {file.path}"
    return deletion_vector.load(file.deletion_vector, plan.snapshot.path, rows, where)


def _constants(plan: _Plan, file: AddFile) -> dict[str, pa.Scalar]:
    return {column.name: _constant(file, column) for column in plan.wanted if column.partition}


def _constant(file: AddFile, column: Column) -> pa.Scalar:
    if column.physical not in file.partition_values:
        raise SourceError(f"{file.path}: the log has no value of the partition {column.name!r}")
    text = file.partition_values[column.physical]
    try:
        return delta_partition.scalar(text, column.type)
    except ValueError as error:
        raise SourceError(
            f"{file.path}: the partition value {text!r} of the column {column.name!r}"
            f" is not a {column.type}: {first_line(error)}"
        ) from error


def _locate(plan: _Plan, file: AddFile, schema: pa.Schema) -> dict[str, str]:
    """Return what the file calls each wanted column that it has, every type checked."""
    names = _names(plan, file, schema)
    data = [column for column in plan.every if not column.partition]
    if data and schema.names and not any(_key(plan, column) in names for column in plan.every):
        raise SourceError(
            f"{file.path} has none of the table's columns: it has {', '.join(schema.names)},"
            f" the table {', '.join(str(_key(plan, column)) for column in data)}"
        )
    found = {}
    for column in plan.wanted:
        name = names.get(_key(plan, column))
        if column.partition or name is None:
            _refuse_absent(file, column, schema)
            continue
        if not accepts(schema.field(name).type, column.stored, plan.widening):
            raise SourceError(_mismatch(file, column, schema.field(name).type))
        found[column.name] = name
    return found


def _refuse_int96(file: AddFile, source: pq.ParquetFile, names: set[str]) -> None:
    old = [path for path in int96.misread(source) if path in names]
    if old:
        raise SourceError(
            f"{file.path}: {source.metadata.created_by} wrote {', '.join(old)} as INT96, in a form"
            " that Arrow misreads before 1970; write the table again, or read it through DuckDB or"
            " Spark"
        )


def _key(plan: _Plan, column: Column) -> str | int | None:
    return column.id if plan.snapshot.mapping_mode == "id" else column.physical


def _names(plan: _Plan, file: AddFile, schema: pa.Schema) -> dict[str | int | None, str]:
    """Return the file's column names, by field id where the table maps by id."""
    by_id = plan.snapshot.mapping_mode == "id"
    keys = [_field_id(field) if by_id else field.name for field in schema]
    for keyed in (keys, schema.names):
        twice = sorted({str(key) for key in keyed if key is not None and keyed.count(key) > 1})
        if twice:
            raise SourceError(f"{file.path} has the column {', '.join(twice)} twice")
    return {key: field.name for key, field in zip(keys, schema, strict=True) if key is not None}


def _field_id(field: pa.Field) -> int | None:
    text = (field.metadata or {}).get(b"PARQUET:field_id")
    return None if text is None else int(text)


def _refuse_absent(file: AddFile, column: Column, schema: pa.Schema) -> None:
    """Refuse an absent column that the schema contradicts: else it came later, and is NULL."""
    if column.partition or pa.types.is_null(column.type):
        return
    if not column.nullable:
        raise SourceError(f"{file.path} lacks the column {column.name!r}, which is NOT NULL")
    alike = [name for name in schema.names if name.lower() == column.physical.lower()]
    if alike and column.id is None:
        raise SourceError(f"{file.path} has {alike[0]!r}, the table {column.physical!r}")
