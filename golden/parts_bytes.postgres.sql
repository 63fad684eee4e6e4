-- ods-fingerprint/1, part 1 of 3, dialect PostgreSQL, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("id") AS "id__nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CASE WHEN CAST("id" AS TEXT) = 'NaN' THEN CAST(CAST('no canonical text: ' || CAST("id" AS TEXT) AS BIGINT) AS TEXT) ELSE CAST("id" AS TEXT) END, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "id__hash",
  COUNT(*) - COUNT("price") AS "price__nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CASE WHEN CAST("price" AS TEXT) = 'NaN' THEN CAST(CAST('no canonical text: ' || CAST("price" AS TEXT) AS BIGINT) AS TEXT) ELSE CAST("price" AS TEXT) END, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "price__hash"
FROM "sales"."orders"

-- ods-fingerprint/1, part 2 of 3, dialect PostgreSQL, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("score") AS "score__nulls",
  COUNT(CASE WHEN CAST("score" AS DOUBLE PRECISION) = CAST('NaN' AS DOUBLE PRECISION) THEN 1 END) AS "score__nan",
  COUNT(CASE WHEN CAST("score" AS DOUBLE PRECISION) = CAST('inf' AS DOUBLE PRECISION) THEN 1 END) AS "score__posinf",
  COUNT(CASE WHEN CAST("score" AS DOUBLE PRECISION) = CAST('-inf' AS DOUBLE PRECISION) THEN 1 END) AS "score__neginf",
  CASE WHEN CAST(CURRENT_SETTING('extra_float_digits') AS INT) > 0 THEN CAST(MIN(CASE WHEN ABS(CAST("score" AS DOUBLE PRECISION)) < CAST('inf' AS DOUBLE PRECISION) THEN CAST("score" AS DOUBLE PRECISION) END) AS TEXT) ELSE CAST(CAST('extra_float_digits must be above 0, not ' || CURRENT_SETTING('extra_float_digits') AS INT) AS TEXT) END AS "score__min",
  CASE WHEN CAST(CURRENT_SETTING('extra_float_digits') AS INT) > 0 THEN CAST(MAX(CASE WHEN ABS(CAST("score" AS DOUBLE PRECISION)) < CAST('inf' AS DOUBLE PRECISION) THEN CAST("score" AS DOUBLE PRECISION) END) AS TEXT) ELSE CAST(CAST('extra_float_digits must be above 0, not ' || CURRENT_SETTING('extra_float_digits') AS INT) AS TEXT) END AS "score__max",
  CASE WHEN CAST(CURRENT_SETTING('extra_float_digits') AS INT) > 0 THEN CASE WHEN SUM(CASE WHEN ABS(CAST("score" AS DOUBLE PRECISION)) < CAST('inf' AS DOUBLE PRECISION) THEN CAST(CAST(CAST("score" AS DOUBLE PRECISION) AS TEXT) AS DECIMAL) END) >= CAST('1.79769313486231579979201547673599e308' AS DECIMAL) THEN 'inf' WHEN SUM(CASE WHEN ABS(CAST("score" AS DOUBLE PRECISION)) < CAST('inf' AS DOUBLE PRECISION) THEN CAST(CAST(CAST("score" AS DOUBLE PRECISION) AS TEXT) AS DECIMAL) END) <= CAST('-1.79769313486231579979201547673599e308' AS DECIMAL) THEN '-inf' ELSE CAST(CAST(SUM(CASE WHEN ABS(CAST("score" AS DOUBLE PRECISION)) < CAST('inf' AS DOUBLE PRECISION) THEN CAST(CAST(CAST("score" AS DOUBLE PRECISION) AS TEXT) AS DECIMAL) END) AS DOUBLE PRECISION) AS TEXT) END ELSE CAST(CAST('extra_float_digits must be above 0, not ' || CURRENT_SETTING('extra_float_digits') AS INT) AS TEXT) END AS "score__sum"
FROM "sales"."orders"

-- ods-fingerprint/1, part 3 of 3, dialect PostgreSQL, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("tags") AS "tags__nulls",
  COUNT(*) - COUNT("name") AS "name__nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CASE WHEN "name" IS NULL THEN NULL ELSE CONCAT("name") END, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "name__hash",
  COUNT(*) - COUNT("placed_at") AS "placed_at__nulls",
  CAST(COALESCE(SUM(CAST(CAST('x' || LEFT(MD5(CONVERT_TO(CASE WHEN "placed_at" IS NULL THEN NULL WHEN "placed_at" < MAKE_TIMESTAMPTZ(294247, 1, 10, 4, 0, 54.775807, 'UTC') AND ISFINITE("placed_at") THEN CAST(TRUNC(EXTRACT(EPOCH FROM "placed_at") * 1000000) AS TEXT) ELSE CAST(CAST('no canonical text: ' || CAST("placed_at" AS TEXT) AS BIGINT) AS TEXT) END, 'UTF8')), 15) AS BIT(60)) AS BIGINT)), 0) AS TEXT) AS "placed_at__hash"
FROM "sales"."orders"
