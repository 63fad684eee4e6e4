-- ods-fingerprint/1, dialect spark, library *
SELECT
  CASE WHEN `s0`.`rows` = `s1`.`rows` THEN `s0`.`rows` END AS `rows`,
  COALESCE(GET(`s0`.`g`, 0).`nulls`, 0) AS `x0__nulls`,
  COALESCE(GET(`s0`.`g`, 0).`hash`, '0') AS `x0__hash`,
  COALESCE(GET(`s0`.`g`, 1).`nulls`, 0) AS `x1__nulls`,
  COALESCE(GET(`s0`.`g`, 1).`hash`, '0') AS `x1__hash`,
  COALESCE(GET(`s0`.`g`, 2).`nulls`, 0) AS `x2__nulls`,
  COALESCE(GET(`s0`.`g`, 2).`hash`, '0') AS `x2__hash`,
  COALESCE(GET(`s0`.`g`, 3).`nulls`, 0) AS `x3__nulls`,
  COALESCE(GET(`s0`.`g`, 3).`hash`, '0') AS `x3__hash`,
  COALESCE(GET(`s0`.`g`, 4).`nulls`, 0) AS `x4__nulls`,
  COALESCE(GET(`s0`.`g`, 4).`hash`, '0') AS `x4__hash`,
  COALESCE(GET(`s0`.`g`, 5).`nulls`, 0) AS `x5__nulls`,
  COALESCE(GET(`s0`.`g`, 5).`hash`, '0') AS `x5__hash`,
  COALESCE(GET(`s0`.`g`, 6).`nulls`, 0) AS `x6__nulls`,
  COALESCE(GET(`s0`.`g`, 6).`hash`, '0') AS `x6__hash`,
  COALESCE(GET(`s0`.`g`, 7).`nulls`, 0) AS `x7__nulls`,
  COALESCE(GET(`s0`.`g`, 7).`hash`, '0') AS `x7__hash`,
  COALESCE(GET(`s0`.`g`, 8).`nulls`, 0) AS `x8__nulls`,
  COALESCE(GET(`s0`.`g`, 8).`hash`, '0') AS `x8__hash`,
  COALESCE(GET(`s0`.`g`, 9).`nulls`, 0) AS `x9__nulls`,
  COALESCE(GET(`s0`.`g`, 9).`hash`, '0') AS `x9__hash`,
  COALESCE(GET(`s0`.`g`, 10).`nulls`, 0) AS `x10__nulls`,
  COALESCE(GET(`s0`.`g`, 10).`hash`, '0') AS `x10__hash`,
  COALESCE(GET(`s0`.`g`, 11).`nulls`, 0) AS `x11__nulls`,
  COALESCE(GET(`s0`.`g`, 11).`hash`, '0') AS `x11__hash`,
  COALESCE(GET(`s0`.`g`, 12).`nulls`, 0) AS `x12__nulls`,
  COALESCE(GET(`s0`.`g`, 12).`hash`, '0') AS `x12__hash`,
  COALESCE(GET(`s0`.`g`, 13).`nulls`, 0) AS `x13__nulls`,
  COALESCE(GET(`s0`.`g`, 13).`hash`, '0') AS `x13__hash`,
  COALESCE(GET(`s0`.`g`, 14).`nulls`, 0) AS `x14__nulls`,
  COALESCE(GET(`s0`.`g`, 14).`hash`, '0') AS `x14__hash`,
  COALESCE(GET(`s0`.`g`, 15).`nulls`, 0) AS `x15__nulls`,
  COALESCE(GET(`s0`.`g`, 15).`hash`, '0') AS `x15__hash`,
  COALESCE(GET(`s0`.`g`, 16).`nulls`, 0) AS `x16__nulls`,
  COALESCE(GET(`s0`.`g`, 16).`hash`, '0') AS `x16__hash`,
  COALESCE(GET(`s0`.`g`, 17).`nulls`, 0) AS `x17__nulls`,
  COALESCE(GET(`s0`.`g`, 17).`hash`, '0') AS `x17__hash`,
  COALESCE(GET(`s0`.`g`, 18).`nulls`, 0) AS `x18__nulls`,
  COALESCE(GET(`s0`.`g`, 18).`hash`, '0') AS `x18__hash`,
  COALESCE(GET(`s0`.`g`, 19).`nulls`, 0) AS `x19__nulls`,
  COALESCE(GET(`s0`.`g`, 19).`hash`, '0') AS `x19__hash`,
  COALESCE(GET(`s0`.`g`, 20).`nulls`, 0) AS `x20__nulls`,
  COALESCE(GET(`s0`.`g`, 20).`hash`, '0') AS `x20__hash`,
  COALESCE(GET(`s0`.`g`, 21).`nulls`, 0) AS `x21__nulls`,
  COALESCE(GET(`s0`.`g`, 21).`hash`, '0') AS `x21__hash`,
  COALESCE(GET(`s0`.`g`, 22).`nulls`, 0) AS `x22__nulls`,
  COALESCE(GET(`s0`.`g`, 22).`hash`, '0') AS `x22__hash`,
  COALESCE(GET(`s0`.`g`, 23).`nulls`, 0) AS `x23__nulls`,
  COALESCE(GET(`s0`.`g`, 23).`hash`, '0') AS `x23__hash`,
  COALESCE(GET(`s0`.`g`, 24).`nulls`, 0) AS `x24__nulls`,
  COALESCE(GET(`s0`.`g`, 24).`hash`, '0') AS `x24__hash`,
  COALESCE(GET(`s0`.`g`, 25).`nulls`, 0) AS `x25__nulls`,
  COALESCE(GET(`s0`.`g`, 25).`hash`, '0') AS `x25__hash`,
  COALESCE(GET(`s0`.`g`, 26).`nulls`, 0) AS `x26__nulls`,
  COALESCE(GET(`s0`.`g`, 26).`hash`, '0') AS `x26__hash`,
  COALESCE(GET(`s0`.`g`, 27).`nulls`, 0) AS `x27__nulls`,
  COALESCE(GET(`s0`.`g`, 27).`hash`, '0') AS `x27__hash`,
  COALESCE(GET(`s0`.`g`, 28).`nulls`, 0) AS `x28__nulls`,
  COALESCE(GET(`s0`.`g`, 28).`hash`, '0') AS `x28__hash`,
  COALESCE(GET(`s0`.`g`, 29).`nulls`, 0) AS `x29__nulls`,
  COALESCE(GET(`s0`.`g`, 29).`hash`, '0') AS `x29__hash`,
  COALESCE(GET(`s1`.`g`, 0).`nulls`, 0) AS `x30__nulls`,
  COALESCE(GET(`s1`.`g`, 0).`nan`, 0) AS `x30__nan`,
  COALESCE(GET(`s1`.`g`, 0).`posinf`, 0) AS `x30__posinf`,
  COALESCE(GET(`s1`.`g`, 0).`neginf`, 0) AS `x30__neginf`,
  GET(`s1`.`g`, 0).`min` AS `x30__min`,
  GET(`s1`.`g`, 0).`max` AS `x30__max`,
  GET(`s1`.`g`, 0).`sum` AS `x30__sum`,
  COALESCE(GET(`s1`.`g`, 1).`nulls`, 0) AS `x31__nulls`,
  COALESCE(GET(`s1`.`g`, 1).`nan`, 0) AS `x31__nan`,
  COALESCE(GET(`s1`.`g`, 1).`posinf`, 0) AS `x31__posinf`,
  COALESCE(GET(`s1`.`g`, 1).`neginf`, 0) AS `x31__neginf`,
  GET(`s1`.`g`, 1).`min` AS `x31__min`,
  GET(`s1`.`g`, 1).`max` AS `x31__max`,
  GET(`s1`.`g`, 1).`sum` AS `x31__sum`,
  COALESCE(GET(`s1`.`g`, 2).`nulls`, 0) AS `x32__nulls`,
  COALESCE(GET(`s1`.`g`, 2).`nan`, 0) AS `x32__nan`,
  COALESCE(GET(`s1`.`g`, 2).`posinf`, 0) AS `x32__posinf`,
  COALESCE(GET(`s1`.`g`, 2).`neginf`, 0) AS `x32__neginf`,
  GET(`s1`.`g`, 2).`min` AS `x32__min`,
  GET(`s1`.`g`, 2).`max` AS `x32__max`,
  GET(`s1`.`g`, 2).`sum` AS `x32__sum`,
  COALESCE(GET(`s0`.`g`, 30).`nulls`, 0) AS `x33__nulls`,
  COALESCE(GET(`s0`.`g`, 31).`nulls`, 0) AS `x34__nulls`,
  COALESCE(GET(`s0`.`g`, 32).`nulls`, 0) AS `x35__nulls`,
  COALESCE(GET(`s0`.`g`, 32).`hash`, '0') AS `x35__hash`,
  COALESCE(GET(`s0`.`g`, 33).`nulls`, 0) AS `x36__nulls`,
  COALESCE(GET(`s0`.`g`, 33).`hash`, '0') AS `x36__hash`,
  COALESCE(GET(`s0`.`g`, 34).`nulls`, 0) AS `x37__nulls`,
  COALESCE(GET(`s0`.`g`, 34).`hash`, '0') AS `x37__hash`,
  COALESCE(GET(`s0`.`g`, 35).`nulls`, 0) AS `x38__nulls`,
  COALESCE(GET(`s0`.`g`, 35).`hash`, '0') AS `x38__hash`,
  COALESCE(GET(`s0`.`g`, 36).`nulls`, 0) AS `x39__nulls`,
  COALESCE(GET(`s0`.`g`, 36).`hash`, '0') AS `x39__hash`
FROM (
SELECT CASE WHEN COUNT(*) = 0 THEN 0 WHEN COUNT(*) = 37 AND MIN(`rows`) = MAX(`rows`) THEN MIN(`rows`) END AS `rows`, SORT_ARRAY(COLLECT_LIST(STRUCT(`p`, `nulls`, `hash`))) AS `g`
FROM (
  SELECT
    `p`,
    COUNT(*) AS `rows`,
    COUNT(*) - COUNT(`h`) AS `nulls`,
    CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `hash`
  FROM (
    SELECT `p`, CAST(CONV(SUBSTRING(MD5(`v`), 1, 15), 16, 10) AS BIGINT) AS `h` FROM (
      SELECT POSEXPLODE(ARRAY(
        CAST(CAST(`x0` AS STRING) AS STRING),
        CAST(CAST(`x1` AS STRING) AS STRING),
        CAST(CAST(`x2` AS STRING) AS STRING),
        CAST(CAST(`x3` AS STRING) AS STRING),
        CAST(CAST(`x4` AS STRING) AS STRING),
        CAST(CAST(`x5` AS STRING) AS STRING),
        CAST(CAST(`x6` AS STRING) AS STRING),
        CAST(CAST(`x7` AS STRING) AS STRING),
        CAST(CAST(`x8` AS STRING) AS STRING),
        CAST(CAST(`x9` AS STRING) AS STRING),
        CAST(CAST(`x10` AS STRING) AS STRING),
        CAST(CAST(`x11` AS STRING) AS STRING),
        CAST(CAST(`x12` AS STRING) AS STRING),
        CAST(CASE WHEN `x13` >= CAST('0.000001' AS DECIMAL(7, 7)) OR `x13` <= CAST('-0.000001' AS DECIMAL(7, 7)) THEN CAST(`x13` AS STRING) ELSE FORMAT_NUMBER(`x13`, '0.0000000') END AS STRING),
        CAST(FORMAT_NUMBER(`x14`, '0.000000000') AS STRING),
        CAST(`x15` AS STRING),
        CAST(`x16` AS STRING),
        CAST(`x17` AS STRING),
        CAST(`x18` AS STRING),
        CAST(CAST(`x19` AS STRING) AS STRING),
        CAST(REPLACE(CAST(`x20` AS STRING), '+', '') AS STRING),
        CAST(CAST(UNIX_MICROS(`x21`) AS STRING) AS STRING),
        CAST(CAST(UNIX_MICROS(`x22`) AS STRING) AS STRING),
        CAST(CAST(UNIX_MICROS(`x23`) AS STRING) AS STRING),
        CAST(CAST(UNIX_MICROS(`x24`) AS STRING) AS STRING),
        CAST(CAST(UNIX_MICROS(`x25`) AS STRING) AS STRING),
        CAST(CAST(CAST(EXTRACT(DAY FROM `x26` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) AS BIGINT) * CAST(86400000000 AS BIGINT) + EXTRACT(HOUR FROM `x26` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * CAST(3600000000 AS BIGINT) + EXTRACT(MINUTE FROM `x26` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * CAST(60000000 AS BIGINT) + CAST(EXTRACT(SECOND FROM `x26` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * 1000000 AS BIGINT) AS STRING) AS STRING),
        CAST(CAST(CAST(EXTRACT(DAY FROM `x27` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) AS BIGINT) * CAST(86400000000 AS BIGINT) + EXTRACT(HOUR FROM `x27` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * CAST(3600000000 AS BIGINT) + EXTRACT(MINUTE FROM `x27` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * CAST(60000000 AS BIGINT) + CAST(EXTRACT(SECOND FROM `x27` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * 1000000 AS BIGINT) AS STRING) AS STRING),
        CAST(CAST(CAST(EXTRACT(DAY FROM `x28` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) AS BIGINT) * CAST(86400000000 AS BIGINT) + EXTRACT(HOUR FROM `x28` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * CAST(3600000000 AS BIGINT) + EXTRACT(MINUTE FROM `x28` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * CAST(60000000 AS BIGINT) + CAST(EXTRACT(SECOND FROM `x28` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * 1000000 AS BIGINT) AS STRING) AS STRING),
        CAST(CAST(CAST(EXTRACT(DAY FROM `x29` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) AS BIGINT) * CAST(86400000000 AS BIGINT) + EXTRACT(HOUR FROM `x29` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * CAST(3600000000 AS BIGINT) + EXTRACT(MINUTE FROM `x29` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * CAST(60000000 AS BIGINT) + CAST(EXTRACT(SECOND FROM `x29` - CAST('1970-01-01 00:00:00' AS TIMESTAMP_NTZ)) * 1000000 AS BIGINT) AS STRING) AS STRING),
        CASE WHEN `x33` IS NOT NULL THEN '' END,
        CASE WHEN `x34` IS NOT NULL THEN '' END
      )) AS (`p`, `v`)
      FROM `sales`.`orders`
    ) AS `t`
    UNION ALL
    SELECT `p` + 32 AS `p`, CAST(CONV(SUBSTRING(MD5(`v`), 1, 15), 16, 10) AS BIGINT) AS `h` FROM (
      SELECT POSEXPLODE(ARRAY(
        CAST(CAST(`x35` AS STRING) AS STRING),
        CAST(CAST(`x36` AS STRING) AS STRING),
        CAST(CAST(`x37` AS STRING) AS STRING),
        CAST(CAST(`x38` AS STRING) AS STRING),
        CAST(CAST(`x39` AS STRING) AS STRING)
      )) AS (`p`, `v`)
      FROM `sales`.`orders`
    ) AS `t`
  ) AS `t`
  GROUP BY `p`
) AS `t`
) AS `s0`
CROSS JOIN (
SELECT CASE WHEN COUNT(*) = 0 THEN 0 WHEN COUNT(*) = 3 AND MIN(`rows`) = MAX(`rows`) THEN MIN(`rows`) END AS `rows`, SORT_ARRAY(COLLECT_LIST(STRUCT(`p`, `nulls`, `nan`, `posinf`, `neginf`, `min`, `max`, `sum`))) AS `g`
FROM (
  SELECT
    `p`,
    COUNT(*) AS `rows`,
    COUNT(*) - COUNT(`v`) AS `nulls`,
    COUNT(CASE WHEN CAST(`v` AS DOUBLE) = CAST('NaN' AS DOUBLE) THEN 1 END) AS `nan`,
    COUNT(CASE WHEN CAST(`v` AS DOUBLE) = CAST('inf' AS DOUBLE) THEN 1 END) AS `posinf`,
    COUNT(CASE WHEN CAST(`v` AS DOUBLE) = CAST('-inf' AS DOUBLE) THEN 1 END) AS `neginf`,
    CAST(MIN(CASE WHEN CAST(`v` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`v` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`v` AS DOUBLE) END) AS STRING) AS `min`,
    CAST(MAX(CASE WHEN CAST(`v` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`v` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`v` AS DOUBLE) END) AS STRING) AS `max`,
    CAST(SUM(CASE WHEN CAST(`v` AS DOUBLE) > CAST('-inf' AS DOUBLE) AND CAST(`v` AS DOUBLE) < CAST('inf' AS DOUBLE) THEN CAST(`v` AS DOUBLE) END) AS STRING) AS `sum`
  FROM (
    SELECT `p`, `v` FROM (
      SELECT POSEXPLODE(ARRAY(
        CAST(`x30` AS DOUBLE),
        CAST(`x31` AS DOUBLE),
        CAST(`x32` AS DOUBLE)
      )) AS (`p`, `v`)
      FROM `sales`.`orders`
    ) AS `t`
  ) AS `t`
  GROUP BY `p`
) AS `t`
) AS `s1`
