-- ods-fingerprint/1, dialect postgres, library *
SELECT
  COUNT(*) AS "rows"
FROM "sales"."orders"
