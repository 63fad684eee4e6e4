-- ods-fingerprint/1, dialect postgres, library *
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("x0") AS "x0__nulls"
FROM "t"
