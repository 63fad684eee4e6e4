-- ods-fingerprint/1, dialect snowflake, library *; vectors never passed on this engine: run conform
SELECT
  COUNT(*) AS "rows",
  COUNT(*) - COUNT("X0") AS "X0__nulls",
  CAST(COALESCE(SUM(TO_NUMBER(SUBSTRING(MD5("X0"), 1, 15), 'XXXXXXXXXXXXXXX')), 0) AS VARCHAR) AS "X0__hash"
FROM "T"
