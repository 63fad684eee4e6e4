-- ods-fingerprint/1, dialect duckdb, library *
SELECT
  COUNT(*) AS "rows"
FROM "sales"."orders"
