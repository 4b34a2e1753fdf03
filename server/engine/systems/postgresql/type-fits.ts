import type { TypeFit } from '../system.ts';

const exactly = (kind: string, names: string, note = ''): TypeFit => ({
  kind,
  names: names.split(', '),
  fit: 'exact',
  note,
});

/** How values travel from PostgreSQL to PostgreSQL: as the server's own text, never as JavaScript numbers. */
export const postgresTypes: readonly TypeFit[] = [
  exactly('Booleans and integers', 'boolean, smallint, integer, bigint, oid, xid8, pg_lsn'),
  exactly('Decimal and floating point', 'numeric, real, double precision, money', 'With NaN, infinities and -0.'),
  exactly(
    'Text',
    'text, character varying, character, bpchar, name, "char"',
    'Padding and empty strings are preserved.',
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
    'The text of json and the numbers of jsonb are preserved.',
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
  exactly('Types of your own', 'enum, domain, composite, range', 'Created at the target with the structure.'),
  exactly('Types of extensions', 'citext, hstore, ltree', 'The extension must be installed on the target server.'),
  exactly('Names of objects', 'regclass', 'As text; the object must exist at the target.'),
  {
    kind: 'Large objects',
    names: ['lo'],
    fit: 'refused',
    note: "The job's check names the columns; leave them out, or use bytea.",
  },
];
