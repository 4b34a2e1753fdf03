import { expect, test } from 'vitest';
import type { Refused } from '../batch.ts';
import { modelTables } from '../contract/model-tables.ts';
import { EngineError } from '../errors.ts';
import { park, parkedLimit, parkedSentence, parkedUpdate } from './parked.ts';
import { TableProgress, untouchedMark } from './table-progress.ts';

const [source] = modelTables;
if (!source) throw new Error('The model has tables.');
const { schema, name } = source;
const selection = { schema, name, target: { schema, name }, columns: null, renamed: {}, filter: null };
const route = { selection, source, target: source, places: [0, 1, 2, 3] };
const when = { position: '7', at: 1 };

function refused(...keys: string[]): Refused[] {
  const error = new EngineError('VALUE_REFUSED', { table: 'model.plain', constraint: 'short', state: '22001' });
  return keys.map((key) => ({ table: route.target, key: [key], op: 'upsert', error }));
}

test('the limit of parked rows is 100, or 0.1 % of the copied rows if that is less, but at least ten', () => {
  expect([0, 500, 10_999, 25_000, 100_000, 1e9].map(parkedLimit)).toEqual([10, 10, 10, 25, 100, 100]);
  const table = new TableProgress(route, { ...untouchedMark, rows: 12_000 });
  const keys = Array.from({ length: 13 }, (_, number) => `secret ${number}`);
  expect(park(table, table.parked, refused(...keys.slice(1)), when).size).toBe(12);
  const tooMany = () => park(table, table.parked, refused(...keys), when);
  expect(tooMany).toThrow(
    expect.objectContaining({
      code: 'TOO_MANY_ROWS_REFUSED',
      message: expect.stringContaining('constraint short'),
      place: { table: 'model.plain', constraint: 'short', state: '22001' },
    }),
  );
  expect(tooMany).not.toThrow(/secret/);
  // None of several rows that come at once is parked, so there is nothing to look at.
  expect(tooMany).not.toThrow(expect.objectContaining({ hint: expect.stringContaining('parked') }));
  // Rows parked before the limit went down stay, and can still be unparked.
  table.parked = park(table, new Map(), refused(...keys.slice(1)), when);
  table.mark = { ...table.mark, rows: 0 };
  expect(park(table, table.parked, refused('secret 1'), when).size).toBe(12);
});

test('a row keeps its number while it is parked, and a newly parked row gets a new number', () => {
  const table = new TableProgress(route, untouchedMark);
  table.parked = park(table, table.parked, refused('a', 'b'), when);
  const withoutA = new Map([...table.parked].slice(1));
  const after = park(table, withoutA, refused('c', 'b'), { position: '8', at: 2 });
  expect([...after.values()].map(({ number, key }) => [number, key])).toEqual([
    [2, ['b']],
    [3, ['c']],
  ]);
  expect(parkedUpdate(table, after)).toEqual([
    {
      table: 'plain',
      unpark: [1],
      park: [expect.objectContaining({ number: 2 }), expect.objectContaining({ number: 3 })],
    },
  ]);
  expect(parkedUpdate(table, table.parked)).toEqual([]);
});

test('the message says how many rows are parked and why, never which', () => {
  expect(parkedSentence(refused('secret'))).toBe('The target refused a row, which is parked (VALUE_REFUSED, short).');
  expect(parkedSentence(refused('x', 'y'))).toBe('The target refused 2 rows, which are parked (VALUE_REFUSED, short).');
});
