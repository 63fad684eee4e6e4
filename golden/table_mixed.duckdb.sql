-- ods-fingerprint/1, dialect duckdb, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("id") AS "id__nulls",
  CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5(CAST("id" AS TEXT)), 1, 15) AS BIGINT)), 0) AS TEXT) AS "id__hash",
  COUNT(*) - COUNT("price") AS "price__nulls",
  CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5(CAST("price" AS TEXT)), 1, 15) AS BIGINT)), 0) AS TEXT) AS "price__hash",
  COUNT(*) - COUNT("score") AS "score__nulls",
  COUNT(CASE WHEN NOT ISFINITE("score") AND NOT CAST("score" AS TEXT) IN ('inf', '-inf') THEN 1 END) AS "score__nan",
  COUNT(CASE WHEN NOT ISFINITE("score") AND CAST("score" AS TEXT) = 'inf' THEN 1 END) AS "score__posinf",
  COUNT(CASE WHEN NOT ISFINITE("score") AND CAST("score" AS TEXT) = '-inf' THEN 1 END) AS "score__neginf",
  CAST(MIN(CASE WHEN ISFINITE("score") THEN CAST("score" AS DOUBLE) END) AS TEXT) AS "score__min",
  CAST(MAX(CASE WHEN ISFINITE("score") THEN CAST("score" AS DOUBLE) END) AS TEXT) AS "score__max",
  CAST(SUM(CASE WHEN ISFINITE("score") THEN CAST("score" AS DOUBLE) END) AS TEXT) AS "score__sum",
  COUNT(*) - COUNT("tags") AS "tags__nulls",
  COUNT(*) - COUNT("Name") AS "Name__nulls",
  CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5("Name"), 1, 15) AS BIGINT)), 0) AS TEXT) AS "Name__hash",
  COUNT(*) - COUNT("placed_at") AS "placed_at__nulls",
  CAST(COALESCE(SUM(CAST('0x' || SUBSTRING(MD5(CASE WHEN ISINF("placed_at") THEN ERROR('an infinite timestamp has no canonical text') ELSE CAST(EPOCH_US("placed_at") AS TEXT) END), 1, 15) AS BIGINT)), 0) AS TEXT) AS "placed_at__hash"
FROM "sales"."orders"
