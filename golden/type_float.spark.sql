-- ods-fingerprint/1, dialect spark, library *; vectors never passed on this engine: run conform
SELECT
  COUNT(*) AS `rows`,
  COUNT(*) - COUNT(`c0`) AS `x0__nulls`,
  COUNT(CASE WHEN CAST(`c0` AS DOUBLE) = CAST('NaN' AS DOUBLE) THEN 1 END) AS `x0__nan`,
  COUNT(CASE WHEN CAST(`c0` AS DOUBLE) = CAST('inf' AS DOUBLE) THEN 1 END) AS `x0__posinf`,
  COUNT(CASE WHEN CAST(`c0` AS DOUBLE) = CAST('-inf' AS DOUBLE) THEN 1 END) AS `x0__neginf`,
  CAST(MIN(CASE WHEN CAST(`c0` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`c0` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`c0` AS DOUBLE) END) AS STRING) AS `x0__min`,
  CAST(MAX(CASE WHEN CAST(`c0` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`c0` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`c0` AS DOUBLE) END) AS STRING) AS `x0__max`,
  CAST(SUM(CASE WHEN CAST(`c0` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`c0` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`c0` AS DOUBLE) END) AS STRING) AS `x0__sum`
FROM (
  SELECT
    `x0` AS `c0`
  FROM `t`
) AS `t`
