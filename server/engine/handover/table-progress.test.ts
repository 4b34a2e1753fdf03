import { expect, test } from 'vitest';
import { modelTables } from '../contract/model-tables.ts';
import { TableProgress, untouchedMark } from './table-progress.ts';

const [source] = modelTables;
if (!source) throw new Error('The model has tables.');
const { schema, name } = source;
const selection = { schema, name, target: { schema, name }, columns: null, renamed: {}, filter: null };
const route = { selection, source, target: source, places: source.columns.map((_, place) => place) };
const at = (place: number) => ({ order: String(place).padStart(4, '0'), resume: String(place) });

test('a table becomes live once the stream reaches the end that the log had after its last chunk', () => {
  const table = new TableProgress(route, { ...untouchedMark, state: 'catching-up', liveAfter: at(20) });
  expect(table.whenPassed(at(19))).toBeUndefined();
  expect(table.whenPassed(at(20))?.state).toBe('live');
  // A reread row is from a later moment.
  table.notLiveBefore(at(30));
  expect([table.whenPassed(at(29)), table.whenPassed(at(31))?.state]).toEqual([undefined, 'live']);
});

test('a mark that is older than what was noted of rows does not undo the note', () => {
  const table = new TableProgress(route, { ...untouchedMark, state: 'copying' });
  const chunk = { ...table.mark, rows: 5 };
  expect(table.noteUntold({ ...route, untold: ['name'] })).toBe(true);
  const { shape } = table.mark;
  expect(shape).not.toBe(chunk.shape);
  table.mark = chunk;
  expect(table.mark).toMatchObject({ rows: 5, shape });
});
