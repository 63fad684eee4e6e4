-- ods-fingerprint/1, dialect snowflake, library *; vectors never passed on this engine: run conform
SELECT
  COUNT(*) AS "rows"
FROM "SALES"."ORDERS"
