-- ods-fingerprint/1, dialect duckdb, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("x0") AS "x0__nulls",
  COUNT(CASE WHEN NOT ISFINITE("x0") AND NOT CAST("x0" AS TEXT) IN ('inf', '-inf') THEN 1 END) AS "x0__nan",
  COUNT(CASE WHEN NOT ISFINITE("x0") AND CAST("x0" AS TEXT) = 'inf' THEN 1 END) AS "x0__posinf",
  COUNT(CASE WHEN NOT ISFINITE("x0") AND CAST("x0" AS TEXT) = '-inf' THEN 1 END) AS "x0__neginf",
  CAST(MIN(CASE WHEN ISFINITE("x0") THEN CAST("x0" AS DOUBLE) END) AS TEXT) AS "x0__min",
  CAST(MAX(CASE WHEN ISFINITE("x0") THEN CAST("x0" AS DOUBLE) END) AS TEXT) AS "x0__max",
  CAST(SUM(CASE WHEN ISFINITE("x0") THEN CAST("x0" AS DOUBLE) END) AS TEXT) AS "x0__sum"
FROM "t"
