#!/usr/bin/env bash
# The main job, on data that it makes: an order table in DuckDB, and its export to Parquet.
set -u
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() { printf '$ %s\n' "$*"; "$@"; code=$?; printf '(exit code %s)\n' "$code"; }
expect() { [ "$code" = "$1" ] || { echo "expected exit code $1"; exit 1; }; }

say "1. 200,000 orders in warehouse.duckdb; the same rows, in another order, in export.parquet"
python "$here/orders.py" || exit 1

say "2. Do they hold the same data? DuckDB answers with its own SQL, Parquet is read by Arrow."
run ods-fingerprint compare duckdb:warehouse.duckdb/orders export.parquet
expect 0

say "3. One price of 200,000 is a cent off in changed.parquet:"
run ods-fingerprint compare duckdb:warehouse.duckdb/orders changed.parquet
expect 1

say "4. The other team is on Snowflake: this is the statement for them to paste."
ods-fingerprint schema duckdb:warehouse.duckdb/orders -o orders.schema.json
run ods-fingerprint sql sales.orders --schema orders.schema.json --dialect snowflake
expect 0

say "They send back the one row: ods-fingerprint read row.csv --schema orders.schema.json --dialect snowflake"

say "5. A table made to break naive round trips goes through Polars and DuckDB, with Delta in between:"
ODS_PROOF_SANDBOX="$folder/sandbox" run ods-proof run polars duckdb
expect 0
