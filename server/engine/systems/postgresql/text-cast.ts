import { baseOf } from './base-type.ts';

const hasCast = (from: string, condition: string) =>
  `EXISTS (SELECT FROM pg_cast WHERE castsource = '${from}'::regtype AND casttarget = base.oid AND ${condition})`;

/**
 * SQL for what follows `::` when text becomes a value of a type. The length is omitted, since a cast to varchar(3)
 * truncates where an assignment refuses, and the type's own input function is used: if a function casts from text, such
 * as the one for regclass, which rejects `-`, or a user-defined one, the cast goes through a type that it does not
 * apply to.
 * @param type SQL for the type's OID
 */
export const textCast = (type: string) => `(
  SELECT CASE WHEN ${hasCast('text', `castmethod = 'f'`)} AND NOT ${hasCast('bpchar', 'true')}
    THEN 'bpchar::' ELSE '' END || format_type(base.oid, -1)
  FROM (SELECT ${baseOf(type)} AS oid) AS base)`;
