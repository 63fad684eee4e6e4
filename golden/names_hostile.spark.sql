-- ods-fingerprint/1, dialect spark, library *
SELECT
  CASE WHEN `s0`.`rows` = `s1`.`rows` THEN `s0`.`rows` END AS `rows`,
  COALESCE(GET(`s0`.`g`, 0).`nulls`, 0) AS `cust#__nulls`,
  COALESCE(GET(`s0`.`g`, 0).`hash`, '0') AS `cust#__hash`,
  COALESCE(GET(`s0`.`g`, 1).`nulls`, 0) AS `a"b__nulls`,
  COALESCE(GET(`s0`.`g`, 1).`hash`, '0') AS `a"b__hash`,
  COALESCE(GET(`s1`.`g`, 0).`nulls`, 0) AS `a``b__nulls`,
  COALESCE(GET(`s1`.`g`, 0).`nan`, 0) AS `a``b__nan`,
  COALESCE(GET(`s1`.`g`, 0).`posinf`, 0) AS `a``b__posinf`,
  COALESCE(GET(`s1`.`g`, 0).`neginf`, 0) AS `a``b__neginf`,
  GET(`s1`.`g`, 0).`min` AS `a``b__min`,
  GET(`s1`.`g`, 0).`max` AS `a``b__max`,
  GET(`s1`.`g`, 0).`sum` AS `a``b__sum`,
  COALESCE(GET(`s0`.`g`, 2).`nulls`, 0) AS `a'b__nulls`,
  COALESCE(GET(`s0`.`g`, 3).`nulls`, 0) AS `a\b__nulls`,
  COALESCE(GET(`s0`.`g`, 3).`hash`, '0') AS `a\b__hash`,
  COALESCE(GET(`s0`.`g`, 4).`nulls`, 0) AS `select__nulls`,
  COALESCE(GET(`s0`.`g`, 4).`hash`, '0') AS `select__hash`,
  COALESCE(GET(`s1`.`g`, 1).`nulls`, 0) AS `$1__nulls`,
  COALESCE(GET(`s1`.`g`, 1).`nan`, 0) AS `$1__nan`,
  COALESCE(GET(`s1`.`g`, 1).`posinf`, 0) AS `$1__posinf`,
  COALESCE(GET(`s1`.`g`, 1).`neginf`, 0) AS `$1__neginf`,
  GET(`s1`.`g`, 1).`min` AS `$1__min`,
  GET(`s1`.`g`, 1).`max` AS `$1__max`,
  GET(`s1`.`g`, 1).`sum` AS `$1__sum`,
  COALESCE(GET(`s0`.`g`, 5).`nulls`, 0) AS `{x}__nulls`,
  COALESCE(GET(`s0`.`g`, 6).`nulls`, 0) AS `{h}__nulls`,
  COALESCE(GET(`s0`.`g`, 6).`hash`, '0') AS `{h}__hash`,
  COALESCE(GET(`s0`.`g`, 7).`nulls`, 0) AS `{text}__nulls`,
  COALESCE(GET(`s0`.`g`, 7).`hash`, '0') AS `{text}__hash`,
  COALESCE(GET(`s1`.`g`, 2).`nulls`, 0) AS `{{x}}__nulls`,
  COALESCE(GET(`s1`.`g`, 2).`nan`, 0) AS `{{x}}__nan`,
  COALESCE(GET(`s1`.`g`, 2).`posinf`, 0) AS `{{x}}__posinf`,
  COALESCE(GET(`s1`.`g`, 2).`neginf`, 0) AS `{{x}}__neginf`,
  GET(`s1`.`g`, 2).`min` AS `{{x}}__min`,
  GET(`s1`.`g`, 2).`max` AS `{{x}}__max`,
  GET(`s1`.`g`, 2).`sum` AS `{{x}}__sum`,
  COALESCE(GET(`s0`.`g`, 8).`nulls`, 0) AS `a;--__nulls`,
  COALESCE(GET(`s0`.`g`, 9).`nulls`, 0) AS `/* a__nulls`,
  COALESCE(GET(`s0`.`g`, 9).`hash`, '0') AS `/* a__hash`,
  COALESCE(GET(`s0`.`g`, 10).`nulls`, 0) AS `a.b__nulls`,
  COALESCE(GET(`s0`.`g`, 10).`hash`, '0') AS `a.b__hash`,
  COALESCE(GET(`s1`.`g`, 3).`nulls`, 0) AS `two words__nulls`,
  COALESCE(GET(`s1`.`g`, 3).`nan`, 0) AS `two words__nan`,
  COALESCE(GET(`s1`.`g`, 3).`posinf`, 0) AS `two words__posinf`,
  COALESCE(GET(`s1`.`g`, 3).`neginf`, 0) AS `two words__neginf`,
  GET(`s1`.`g`, 3).`min` AS `two words__min`,
  GET(`s1`.`g`, 3).`max` AS `two words__max`,
  GET(`s1`.`g`, 3).`sum` AS `two words__sum`,
  COALESCE(GET(`s0`.`g`, 11).`nulls`, 0) AS ` lead__nulls`,
  COALESCE(GET(`s0`.`g`, 12).`nulls`, 0) AS `line
break__nulls`,
  COALESCE(GET(`s0`.`g`, 12).`hash`, '0') AS `line
break__hash`,
  COALESCE(GET(`s0`.`g`, 13).`nulls`, 0) AS `c0__nulls`,
  COALESCE(GET(`s0`.`g`, 13).`hash`, '0') AS `c0__hash`,
  COALESCE(GET(`s1`.`g`, 4).`nulls`, 0) AS `h1__nulls`,
  COALESCE(GET(`s1`.`g`, 4).`nan`, 0) AS `h1__nan`,
  COALESCE(GET(`s1`.`g`, 4).`posinf`, 0) AS `h1__posinf`,
  COALESCE(GET(`s1`.`g`, 4).`neginf`, 0) AS `h1__neginf`,
  GET(`s1`.`g`, 4).`min` AS `h1__min`,
  GET(`s1`.`g`, 4).`max` AS `h1__max`,
  GET(`s1`.`g`, 4).`sum` AS `h1__sum`,
  COALESCE(GET(`s0`.`g`, 14).`nulls`, 0) AS `c2___nulls`,
  COALESCE(GET(`s0`.`g`, 15).`nulls`, 0) AS `t__nulls`,
  COALESCE(GET(`s0`.`g`, 15).`hash`, '0') AS `t__hash`,
  COALESCE(GET(`s0`.`g`, 16).`nulls`, 0) AS `rows__nulls`,
  COALESCE(GET(`s0`.`g`, 16).`hash`, '0') AS `rows__hash`,
  COALESCE(GET(`s1`.`g`, 5).`nulls`, 0) AS `a__nulls__nulls`,
  COALESCE(GET(`s1`.`g`, 5).`nan`, 0) AS `a__nulls__nan`,
  COALESCE(GET(`s1`.`g`, 5).`posinf`, 0) AS `a__nulls__posinf`,
  COALESCE(GET(`s1`.`g`, 5).`neginf`, 0) AS `a__nulls__neginf`,
  GET(`s1`.`g`, 5).`min` AS `a__nulls__min`,
  GET(`s1`.`g`, 5).`max` AS `a__nulls__max`,
  GET(`s1`.`g`, 5).`sum` AS `a__nulls__sum`,
  COALESCE(GET(`s0`.`g`, 17).`nulls`, 0) AS `A__hash__nulls`,
  COALESCE(GET(`s0`.`g`, 18).`nulls`, 0) AS `größe__nulls`,
  COALESCE(GET(`s0`.`g`, 18).`hash`, '0') AS `größe__hash`,
  COALESCE(GET(`s0`.`g`, 19).`nulls`, 0) AS `名__nulls`,
  COALESCE(GET(`s0`.`g`, 19).`hash`, '0') AS `名__hash`,
  COALESCE(GET(`s1`.`g`, 6).`nulls`, 0) AS `🦆__nulls`,
  COALESCE(GET(`s1`.`g`, 6).`nan`, 0) AS `🦆__nan`,
  COALESCE(GET(`s1`.`g`, 6).`posinf`, 0) AS `🦆__posinf`,
  COALESCE(GET(`s1`.`g`, 6).`neginf`, 0) AS `🦆__neginf`,
  GET(`s1`.`g`, 6).`min` AS `🦆__min`,
  GET(`s1`.`g`, 6).`max` AS `🦆__max`,
  GET(`s1`.`g`, 6).`sum` AS `🦆__sum`,
  COALESCE(GET(`s0`.`g`, 20).`nulls`, 0) AS `x"; DROP TABLE t; --__nulls`
FROM (
SELECT CASE WHEN COUNT(*) = 0 THEN 0 WHEN COUNT(*) = 21 AND MIN(`rows`) = MAX(`rows`) THEN MIN(`rows`) END AS `rows`, SORT_ARRAY(COLLECT_LIST(STRUCT(`p`, `nulls`, `hash`))) AS `g`
FROM (
  SELECT
    `p`,
    COUNT(*) AS `rows`,
    COUNT(*) - COUNT(`h`) AS `nulls`,
    CAST(COALESCE(CAST(SUM(SHIFTRIGHT(`h`, 40)) AS DECIMAL(38, 0)) * CAST(1099511627776 AS DECIMAL(38, 0)) + CAST(SUM(SHIFTRIGHT(`h`, 20) & 1048575) AS DECIMAL(38, 0)) * CAST(1048576 AS DECIMAL(38, 0)) + CAST(SUM(`h` & 1048575) AS DECIMAL(38, 0)), 0) AS STRING) AS `hash`
  FROM (
    SELECT `p`, CAST(CONV(SUBSTRING(MD5(`v`), 1, 15), 16, 10) AS BIGINT) AS `h` FROM (
      SELECT POSEXPLODE(ARRAY(
        CAST(CAST(`cust#` AS STRING) AS STRING),
        CAST(CASE WHEN `a"b` >= CAST('0.000001' AS DECIMAL(9, 9)) OR `a"b` <= CAST('-0.000001' AS DECIMAL(9, 9)) THEN CAST(`a"b` AS STRING) ELSE FORMAT_NUMBER(`a"b`, '0.000000000') END AS STRING),
        CASE WHEN `a'b` IS NOT NULL THEN '' END,
        CAST(CAST(`a\b` AS STRING) AS STRING),
        CAST(CASE WHEN `select` >= CAST('0.000001' AS DECIMAL(9, 9)) OR `select` <= CAST('-0.000001' AS DECIMAL(9, 9)) THEN CAST(`select` AS STRING) ELSE FORMAT_NUMBER(`select`, '0.000000000') END AS STRING),
        CASE WHEN `{x}` IS NOT NULL THEN '' END,
        CAST(CAST(`{h}` AS STRING) AS STRING),
        CAST(CASE WHEN `{text}` >= CAST('0.000001' AS DECIMAL(9, 9)) OR `{text}` <= CAST('-0.000001' AS DECIMAL(9, 9)) THEN CAST(`{text}` AS STRING) ELSE FORMAT_NUMBER(`{text}`, '0.000000000') END AS STRING),
        CASE WHEN `a;--` IS NOT NULL THEN '' END,
        CAST(CAST(`/* a` AS STRING) AS STRING),
        CAST(CASE WHEN `a.b` >= CAST('0.000001' AS DECIMAL(9, 9)) OR `a.b` <= CAST('-0.000001' AS DECIMAL(9, 9)) THEN CAST(`a.b` AS STRING) ELSE FORMAT_NUMBER(`a.b`, '0.000000000') END AS STRING),
        CASE WHEN ` lead` IS NOT NULL THEN '' END,
        CAST(CAST(`line
break` AS STRING) AS STRING),
        CAST(CASE WHEN `c0` >= CAST('0.000001' AS DECIMAL(9, 9)) OR `c0` <= CAST('-0.000001' AS DECIMAL(9, 9)) THEN CAST(`c0` AS STRING) ELSE FORMAT_NUMBER(`c0`, '0.000000000') END AS STRING),
        CASE WHEN `c2_` IS NOT NULL THEN '' END,
        CAST(CAST(`t` AS STRING) AS STRING),
        CAST(CASE WHEN `rows` >= CAST('0.000001' AS DECIMAL(9, 9)) OR `rows` <= CAST('-0.000001' AS DECIMAL(9, 9)) THEN CAST(`rows` AS STRING) ELSE FORMAT_NUMBER(`rows`, '0.000000000') END AS STRING),
        CASE WHEN `A__hash` IS NOT NULL THEN '' END,
        CAST(CAST(`größe` AS STRING) AS STRING),
        CAST(CASE WHEN `名` >= CAST('0.000001' AS DECIMAL(9, 9)) OR `名` <= CAST('-0.000001' AS DECIMAL(9, 9)) THEN CAST(`名` AS STRING) ELSE FORMAT_NUMBER(`名`, '0.000000000') END AS STRING),
        CASE WHEN `x"; DROP TABLE t; --` IS NOT NULL THEN '' END
      )) AS (`p`, `v`)
      FROM `lake`.`a.b`.`x"y`
    ) AS `t`
  ) AS `t`
  GROUP BY `p`
) AS `t`
) AS `s0`
CROSS JOIN (
SELECT CASE WHEN COUNT(*) = 0 THEN 0 WHEN COUNT(*) = 7 AND MIN(`rows`) = MAX(`rows`) THEN MIN(`rows`) END AS `rows`, SORT_ARRAY(COLLECT_LIST(STRUCT(`p`, `nulls`, `nan`, `posinf`, `neginf`, `min`, `max`, `sum`))) AS `g`
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
        CAST(`a``b` AS DOUBLE),
        CAST(`$1` AS DOUBLE),
        CAST(`{{x}}` AS DOUBLE),
        CAST(`two words` AS DOUBLE),
        CAST(`h1` AS DOUBLE),
        CAST(`a__nulls` AS DOUBLE),
        CAST(`🦆` AS DOUBLE)
      )) AS (`p`, `v`)
      FROM `lake`.`a.b`.`x"y`
    ) AS `t`
  ) AS `t`
  GROUP BY `p`
) AS `t`
) AS `s1`
