"""Makes the demo's data here: a DuckDB table, a reordered export, and a changed one."""

from __future__ import annotations

import duckdb
import pyarrow.parquet as pq

ORDERS = """
CREATE TABLE orders AS SELECT
    i AS id,
    CAST((i * 7919 % 100000) / 100 AS DECIMAL(18, 2)) AS price,
    CASE WHEN i % 11 = 0 THEN NULL ELSE 'customer ' || (i * 31 % 997) || ' ü' END AS customer,
    i % 3 = 0 AS paid,
    DATE '2019-01-01' + CAST(i % 2500 AS INT) AS day,
    TIMESTAMP '1969-07-20 20:17:40' + INTERVAL (i * 977) SECOND AS at,
    CASE WHEN i % 1000 = 1 THEN CAST('NaN' AS DOUBLE) ELSE i / 7 END AS weight
FROM range(200000) AS t(i)
"""
CHANGED = """
SELECT * REPLACE (
    CAST(price + CASE WHEN id = 123456 THEN 0.01 ELSE 0 END AS DECIMAL(18, 2)) AS price
) FROM orders
"""


def main() -> None:
    """Write warehouse.duckdb, export.parquet and changed.parquet."""
    with duckdb.connect("warehouse.duckdb") as warehouse:
        warehouse.execute(ORDERS)
        shuffled = warehouse.sql("FROM orders ORDER BY hash(id)").to_arrow_table()
        changed = warehouse.sql(CHANGED).to_arrow_table()
    pq.write_table(shuffled, "export.parquet", row_group_size=30_000)
    pq.write_table(changed, "changed.parquet")


if __name__ == "__main__":
    main()
