import { expect, test } from 'vitest';
import type { TableSelection } from '../job.ts';
import type { Table } from '../table.ts';
import { makeRoute } from './route.ts';

function table(...names: string[]): Table {
  const columns = names.map((name) => ({ name, type: 'text', nullable: true, generated: false }));
  return { id: 't', schema: 's', name: 't', columns, key: [0], exactKey: true, ordered: true };
}

const selection: TableSelection = {
  schema: 's',
  name: 't',
  target: { schema: 's', name: 't' },
  columns: null,
  renamed: { Sum: 'Total' },
  letters: 'lower',
  filter: null,
};

test('columns get the name that the job gives them, or their own in the letter case that it chooses', () => {
  const { target } = makeRoute(table('Id', 'Sum', 'NOTE'), selection, table('note', 'Total', 'id', 'other'));
  expect(target.columns.map(({ name }) => name)).toEqual(['id', 'Total', 'note']);
});

test('two columns that would end up with the same name are refused by name', () => {
  expect(() => makeRoute(table('id', 'Note', 'NOTE'), selection, table('id', 'note'))).toThrow(
    expect.objectContaining({ code: 'NAME_TAKEN', place: expect.objectContaining({ column: 'note' }) }),
  );
});
