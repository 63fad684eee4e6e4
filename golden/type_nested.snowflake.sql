-- ods-fingerprint/1, dialect snowflake, library *; vectors never passed on this engine: run conform
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("X0") AS "X0__nulls"
FROM "T"
