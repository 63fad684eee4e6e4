-- ods-fingerprint/1, dialect spark, library *
SELECT
  COUNT(*) AS `rows`,
  COUNT(*) - COUNT(`c0_`) AS `nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn__nulls`,
  CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h0_`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h0_`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h0_` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn__hash`,
  COUNT(*) - COUNT(`c1_`) AS `c0__nulls`,
  CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h1_`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h1_`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h1_` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `c0__hash`
FROM (
  SELECT
    `nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn` AS `c0_`,
    CAST(CONV(SUBSTRING(MD5(`nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn`), 1, 15), 16, 10) AS BIGINT) AS `h0_`,
    `c0` AS `c1_`,
    CAST(CONV(SUBSTRING(MD5(`c0`), 1, 15), 16, 10) AS BIGINT) AS `h1_`
  FROM `sales`.`orders`
) AS `t`
