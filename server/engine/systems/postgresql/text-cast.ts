import { baseOf } from './base-type.ts';

const hasCast = (from: string, condition: string) =>
  `EXISTS (SELECT FROM pg_cast WHERE castsource = '${from}'::regtype AND casttarget = base.oid AND ${condition})`;

/**
 * SQL of what stands behind `::` where a text becomes a value of a type: without its length, since a cast to varchar(3) cuts
 * a text off and an assignment refuses it, and as the type itself reads it. Where a function casts texts, such as that of
 * regclass, which takes no `-`, or one that somebody made, the way around it leads over a type that it is not for.
 * @param type SQL of the type
 */
export const textCast = (type: string) => `(
  SELECT CASE WHEN ${hasCast('text', `castmethod = 'f'`)} AND NOT ${hasCast('bpchar', 'true')}
    THEN 'bpchar::' ELSE '' END || format_type(base.oid, -1)
  FROM (SELECT ${baseOf(type)} AS oid) AS base)`;
