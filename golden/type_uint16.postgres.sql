-- ods-fingerprint/1, dialect postgres, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("x0") AS "x0__nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CASE WHEN CAST("x0" AS TEXT) = 'NaN' THEN CAST(CAST('no canonical text: ' || CAST("x0" AS TEXT) AS BIGINT) AS TEXT) ELSE CAST("x0" AS TEXT) END, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "x0__hash"
FROM "t"
