-- ods-fingerprint/1, dialect duckdb, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("x0") AS "x0__nulls",
  CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5(CASE WHEN ISINF("x0") THEN ERROR('an infinite timestamp has no canonical text') ELSE CAST(EPOCH_NS("x0") // 1000 - CASE WHEN EPOCH_NS("x0") % 1000 < 0 THEN 1 ELSE 0 END AS TEXT) END), 1, 15) AS BIGINT)), 0) AS TEXT) AS "x0__hash"
FROM "t"
