-- ods-fingerprint/1, dialect spark, library *; vectors never passed on this engine: run conform
SELECT
  COUNT(*) AS `rows`
FROM `sales`.`orders`
