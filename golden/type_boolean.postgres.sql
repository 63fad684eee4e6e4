-- ods-fingerprint/1, dialect postgres, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("x0") AS "x0__nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CAST("x0" AS TEXT), 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "x0__hash"
FROM "t"
