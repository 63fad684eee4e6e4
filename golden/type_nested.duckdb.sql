-- ods-fingerprint/1, dialect duckdb, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("x0") AS "x0__nulls"
FROM "t"
