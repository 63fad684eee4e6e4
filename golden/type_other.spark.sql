-- ods-fingerprint/1, dialect spark, library *
SELECT
  COUNT(*) AS `rows`,
  COUNT(*) - COUNT(`c0`) AS `x0__nulls`
FROM (
  SELECT
    `x0` AS `c0`
  FROM `t`
) AS `t`
