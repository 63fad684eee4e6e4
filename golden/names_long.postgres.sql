-- ods-fingerprint/1, dialect postgres, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn") AS "c0___nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CASE WHEN "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn" IS NULL THEN NULL ELSE CONCAT("nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn") END, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "c0___hash",
  COUNT(*) - COUNT("c0") AS "c0__nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CASE WHEN "c0" IS NULL THEN NULL ELSE CONCAT("c0") END, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "c0__hash"
FROM "sales"."orders"
