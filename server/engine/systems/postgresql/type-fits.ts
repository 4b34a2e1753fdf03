import type { TypeFit } from '../system.ts';

const exactly = (kind: string, names: string, note = ''): TypeFit => ({
  kind,
  names: names.split(', '),
  fit: 'exact',
  note,
});

/** How values come from PostgreSQL to PostgreSQL: as the server's own text, never through numbers of JavaScript. */
export const postgresTypes: readonly TypeFit[] = [
  exactly('Truth values and whole numbers', 'boolean, smallint, integer, bigint, oid, xid8, pg_lsn'),
  exactly('Decimal and floating point', 'numeric, real, double precision, money', 'With NaN, infinities and -0.'),
  exactly(
    'Text',
    'text, character varying, character, bpchar, name, "char"',
    'Padding and empty texts stay as they are.',
  ),
  exactly('Bytes and bits', 'bytea, bit, bit varying'),
  exactly(
    'Date and time',
    'date, time, time with time zone, timestamp, timestamp with time zone, interval',
    'With years BC and over 9999, infinity, 24:00.',
  ),
  exactly('Identifiers and networks', 'uuid, inet, cidr, macaddr, macaddr8'),
  exactly(
    'Documents and search',
    'json, jsonb, jsonpath, xml, tsvector, tsquery',
    'Text of json and numbers of jsonb stay.',
  ),
  exactly('Geometry', 'point, line, lseg, box, path, polygon, circle'),
  exactly(
    'Ranges',
    'int4range, int8range, numrange, daterange, tsrange, tstzrange, int4multirange, datemultirange',
    'With empty and open ones.',
  ),
  exactly(
    'Arrays',
    'integer[], text[], numeric[], timestamp with time zone[], bytea[], jsonb[]',
    'With NULL and bounds.',
  ),
  exactly('Types of your own', 'enum, domain, composite, range', 'Made at the target with the structure.'),
  exactly(
    'Types of extensions',
    'citext, hstore, ltree',
    'The extension must be installed on the server of the target.',
  ),
  exactly('Names of objects', 'regclass', 'As text; the object must be there at the target.'),
  {
    kind: 'Large objects',
    names: ['lo'],
    fit: 'refused',
    note: 'The check of the job names the columns; leave them out, or use bytea.',
  },
];
