-- ods-fingerprint/1, dialect postgres, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("x0") AS "x0__nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CASE WHEN "x0" IS NULL THEN NULL ELSE CONCAT("x0") END, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "x0__hash"
FROM "t"
