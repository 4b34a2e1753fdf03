/** SQL: whether the user is allowed to disable triggers, rules and foreign keys for its session. */
export const mayRest =
  "(current_setting('is_superuser') = 'on' OR has_parameter_privilege('session_replication_role', 'SET'))";

/**
 * SQL for the name of a trigger or rule that would alter or discard rows which a job writes to a table, or NULL. AFTER
 * triggers leave the rows themselves alone.
 * @param table SQL for its OID
 */
export const alteringOf = (table: string) => `(
  SELECT own.name FROM (
      SELECT t.tgname, t.tgenabled FROM pg_trigger AS t
      WHERE (t.tgrelid = ${table} OR t.tgrelid IN (SELECT relid FROM pg_partition_tree(${table})))
        AND NOT t.tgisinternal AND t.tgtype & 3 = 3 -- BEFORE, FOR EACH ROW
      UNION ALL
      SELECT r.rulename, r.ev_enabled FROM pg_rewrite AS r WHERE r.ev_class = ${table} AND r.ev_type <> '1'
    ) AS own (name, enabled)
  WHERE own.enabled = 'A' OR own.enabled = CASE WHEN ${mayRest} THEN 'R' ELSE 'O' END
  ORDER BY own.name LIMIT 1)`;
