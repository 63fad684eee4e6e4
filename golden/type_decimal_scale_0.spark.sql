-- ods-fingerprint/1, dialect spark, library *; vectors never passed on this engine: run conform
SELECT
  COUNT(*) AS `rows`,
  COUNT(*) - COUNT(`c0`) AS `x0__nulls`,
  CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h0`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h0`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h0` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `x0__hash`
FROM (
  SELECT
    `x0` AS `c0`,
    CAST(CONV(SUBSTRING(MD5(CAST(`x0` AS STRING)), 1, 15), 16, 10) AS BIGINT) AS `h0`
  FROM `t`
) AS `t`
