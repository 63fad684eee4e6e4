-- ods-fingerprint/1, dialect spark, library *
SELECT
  COUNT(*) AS `rows`
FROM `sales`.`orders`
