-- ods-fingerprint/1, dialect duckdb, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("x0") AS "x0__nulls",
  CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5(CASE WHEN "x0" BETWEEN CAST('0001-01-01' AS DATE) AND CAST('9999-12-31' AS DATE) THEN CAST("x0" AS TEXT) WHEN ISINF("x0") THEN ERROR('an infinite date has no canonical text') ELSE CASE WHEN YEAR("x0") < 0 THEN '-' ELSE '' END || LPAD(CAST(ABS(YEAR("x0")) AS TEXT), CAST(GREATEST(4, LENGTH(CAST(ABS(YEAR("x0")) AS TEXT))) AS INT), '0') || STRFTIME("x0", '-%m-%d') END), 1, 15) AS BIGINT)), 0) AS TEXT) AS "x0__hash"
FROM "t"
