/**
 * SQL for the OID of a type without any domains around it; only a domain costs a search.
 * @param type SQL for the type's OID
 */
export const baseOf = (type: string) => `
  CASE WHEN (SELECT own.typtype FROM pg_type AS own WHERE own.oid = ${type}) <> 'd' THEN ${type} ELSE (
    WITH RECURSIVE base (oid) AS (
      SELECT ${type}
      UNION ALL SELECT d.typbasetype FROM base JOIN pg_type AS d ON d.oid = base.oid WHERE d.typtype = 'd')
    SELECT base.oid FROM base JOIN pg_type AS t ON t.oid = base.oid WHERE t.typtype <> 'd') END`;
