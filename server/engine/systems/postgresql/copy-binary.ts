import type { Key } from '../../change.ts';
import type { Table } from '../../table.ts';

/**
 * Types whose binary COPY format is the same on every supported version: built-in scalars. Not interval: since version
 * 17 it has infinity, which earlier versions silently accept as a finite value.
 */
const binaryTypes = new Set([
  'boolean',
  'smallint',
  'integer',
  'bigint',
  'real',
  'double precision',
  'numeric',
  'text',
  'character varying',
  'character',
  'bytea',
  'date',
  'time without time zone',
  'timestamp without time zone',
  'timestamp with time zone',
  'uuid',
  'json',
  'jsonb',
]);

/** How a key cell becomes text; types not listed here are not supported as keys. */
const keyTexts: Record<string, (cell: Buffer) => string> = {
  smallint: (cell) => String(cell.readInt16BE()),
  integer: (cell) => String(cell.readInt32BE()),
  bigint: (cell) => String(cell.readBigInt64BE()),
  text: (cell) => cell.toString(),
  'character varying': (cell) => cell.toString(),
  uuid: (cell) => cell.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
};

/** Bytes before the first row, which is sent with them: a signature, flags, and an extension length of zero. */
const headerBytes = 19;
/** What follows the last row. */
export const trailer = Buffer.from([0xff, 0xff]);

/** Whether a message is a row; the header comes with the first row, the trailer alone or with the header. */
export function isBinaryRow(message: Buffer, rowsBefore: number): boolean {
  const header = rowsBefore === 0 ? headerBytes : 0;
  return message.length > header + trailer.length;
}

/** The name of a type without its length. */
const baseOf = (type: string) => type.replace(/\(.*?\)/, '');

/** Whether a table's rows can be printed in binary format and the key of its last row can be read. */
export function isBinaryTable({ columns, key }: Table): boolean {
  return (
    columns.every(({ type }) => binaryTypes.has(baseOf(type))) &&
    key.every((place) => baseOf(columns[place]?.type ?? '') in keyTexts)
  );
}

/** A row's key. @param isFirst whether the message began with the header */
export function keyOfBinary({ columns, key }: Table, row: Buffer, isFirst: boolean): Key {
  const cells: Buffer[] = [];
  // The number of cells comes first, then each with its length.
  for (let at = (isFirst ? headerBytes : 0) + 2; at < row.length; ) {
    const length = Math.max(0, row.readInt32BE(at));
    cells.push(row.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const written = columns.filter(({ generated }) => !generated);
  return key.map((place) => {
    const column = columns[place];
    const cell = column && cells[written.indexOf(column)];
    const text = column && keyTexts[baseOf(column.type)];
    if (!cell || !text) throw new Error('The table has a key that is not read from binary rows.');
    return text(cell);
  });
}
