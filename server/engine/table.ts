/** A column that distinguishes all texts. */
export const everyText = 'every text';
/** A column that treats all texts of a value as the same, and writes each value with one of them. */
export const valuesAlone = 'values alone';

/** The type under a domain, and the attributes of a composite type. */
export interface MadeOf {
  type: string;
  attributes: readonly { name: string; type: string }[] | null;
}

/** One column as its system describes it. */
export interface Column {
  name: string;
  /** The system's own name of the type, written as in its DDL: `numeric(10,2)`, `integer[]`. */
  type: string;
  /** What a user-defined type consists of; missing if its name says all of it. */
  made?: MadeOf;
  nullable: boolean;
  /** Computed by the database: read for information, never written. */
  generated: boolean;
  /** What sorts its texts, in the system's terms; missing if nothing is declared. */
  collation?: string;
  /** Which values are equal, in the system's terms or those above; missing if every column of a type compares alike. */
  equality?: string;
}

/** One version of a table; a new version is a new object, so `===` tells whether two rows share their columns. */
export interface Table {
  /** What stays the same when the table is renamed: the oid, or the name if there is nothing else. */
  id: string;
  schema: string;
  name: string;
  columns: readonly Column[];
  /** Positions of the columns that identify a row, in key order; empty if rows have no identity. */
  key: readonly number[];
  /** Whether equal keys always have equal text; not so for numeric, float, citext and others. */
  exactKey: boolean;
  /** Its partitions at every level, as people name them; missing if it is not partitioned. */
  partitions?: readonly string[];
  /** How its unique indexes compare texts, if declared: column positions with their collations; the key's first. */
  uniques?: readonly (readonly { column: number; collation: string }[])[];
  /** Whether its changes are in no log, so that it can be copied but not followed. */
  unlogged?: true;
  /** Whether its source would refuse updates and deletes on it while it is followed; it can be copied. */
  refusesWrites?: true;
  /** Whether every server sorts the key alike; not so for texts, whose collation is a server's own, and for enums. */
  ordered: boolean;
}

/** What people read of a table besides its shape. */
export interface TableSize {
  /** Estimated by the database, not counted. */
  rows: number;
  bytes: number;
}

/** `schema.table`, as people and events name it. */
export function tableName({ schema, name }: { schema: string; name: string }): string {
  return schema === '' ? name : `${schema}.${name}`;
}

/** Whether two versions have columns of the same names at the same places. */
export function sameColumns(one: Table, other: Table): boolean {
  const names = ({ columns }: Table) => columns.map(({ name }) => name).join('\0');
  return names(one) === names(other);
}

/** How many names a sentence lists. */
const mostNames = 5;

/** Table names as a sentence lists them; only the first few of many. */
export function listed(names: readonly string[]): string {
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return `${names.slice(0, mostNames).join(', ')}${more}`;
}
