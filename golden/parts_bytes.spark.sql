-- ods-fingerprint/1, part 1 of 3, dialect Spark and Databricks, library *
SELECT
  COUNT(*) AS `rows`,
  COUNT(*) - COUNT(`c0`) AS `id__nulls`,
  CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h0`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h0`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h0` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `id__hash`,
  COUNT(*) - COUNT(`c1`) AS `price__nulls`,
  CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h1`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h1`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h1` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `price__hash`
FROM (
  SELECT
    `id` AS `c0`,
    CAST(CONV(SUBSTRING(MD5(CAST(`id` AS STRING)), 1, 15), 16, 10) AS BIGINT) AS `h0`,
    `price` AS `c1`,
    CAST(CONV(SUBSTRING(MD5(CAST(`price` AS STRING)), 1, 15), 16, 10) AS BIGINT) AS `h1`
  FROM `sales`.`orders`
) AS `t`

-- ods-fingerprint/1, part 2 of 3, dialect Spark and Databricks, library *
SELECT
  COUNT(*) AS `rows`,
  COUNT(*) - COUNT(`c2`) AS `score__nulls`,
  COUNT(CASE WHEN CAST(`c2` AS DOUBLE) = CAST('NaN' AS DOUBLE) THEN 1 END) AS `score__nan`,
  COUNT(CASE WHEN CAST(`c2` AS DOUBLE) = CAST('inf' AS DOUBLE) THEN 1 END) AS `score__posinf`,
  COUNT(CASE WHEN CAST(`c2` AS DOUBLE) = CAST('-inf' AS DOUBLE) THEN 1 END) AS `score__neginf`,
  CAST(MIN(CASE WHEN CAST(`c2` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`c2` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`c2` AS DOUBLE) END) AS STRING) AS `score__min`,
  CAST(MAX(CASE WHEN CAST(`c2` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`c2` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`c2` AS DOUBLE) END) AS STRING) AS `score__max`,
  CAST(SUM(CASE WHEN CAST(`c2` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`c2` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`c2` AS DOUBLE) END) AS STRING) AS `score__sum`,
  COUNT(*) - COUNT(`c3`) AS `tags__nulls`
FROM (
  SELECT
    `score` AS `c2`,
    `tags` AS `c3`
  FROM `sales`.`orders`
) AS `t`

-- ods-fingerprint/1, part 3 of 3, dialect Spark and Databricks, library *
SELECT
  COUNT(*) AS `rows`,
  COUNT(*) - COUNT(`c4`) AS `Name__nulls`,
  CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h4`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h4`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h4` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `Name__hash`,
  COUNT(*) - COUNT(`c5`) AS `placed_at__nulls`,
  CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h5`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h5`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h5` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `placed_at__hash`
FROM (
  SELECT
    `Name` AS `c4`,
    CAST(CONV(SUBSTRING(MD5(`Name`), 1, 15), 16, 10) AS BIGINT) AS `h4`,
    `placed_at` AS `c5`,
    CAST(CONV(SUBSTRING(MD5(CAST(UNIX_MICROS(`placed_at`) AS STRING)), 1, 15), 16, 10) AS BIGINT) AS `h5`
  FROM `sales`.`orders`
) AS `t`
