import { expect, test } from 'vitest';
import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { Job } from '../../contract/jobs/jobs.ts';
import { draftLike, emptyDraft, type JobDraft, newJobOf, newNamesOf, strayFilters } from './draft.ts';

const side = (id: number) => ({ id, hostType: 'PRIVATE' }) as DataSource;
const draft: JobDraft = {
  ...emptyDraft,
  source: '1',
  target: '2',
  sourceDb: 'shop',
  tables: 'public.orders\npublic.log_*\nsales.item',
  filters: "public.orders: region = 'EU' AND note <> 'a: b'\nsales.item: price > 1",
  names: 'public.orders -> bestellung\nsales.item.id -> number',
  letters: 'TO_LOWER_CASE',
  addNew: 'yes',
};

function madeOf(changes: Partial<JobDraft>) {
  const job = newJobOf({ ...draft, ...changes }, [side(1), side(2)]);
  if (!job) throw new Error('Nothing is missing.');
  return job;
}

test('lines of tables, patterns, filters and names become the call', () => {
  const job = madeOf({});
  expect(JSON.parse(job.srcSchema)).toEqual([
    {
      db: 'shop',
      schemas: [
        {
          schema: 'public',
          tables: [
            { table: 'orders', dataFilter: { type: 'SQL_WHERE', expression: "region = 'EU' AND note <> 'a: b'" } },
            { table: 'log_*', tablePattern: 'log_*' },
          ],
        },
        { schema: 'sales', tables: [{ table: 'item', dataFilter: { type: 'SQL_WHERE', expression: 'price > 1' } }] },
      ],
    },
  ]);
  expect(job.addNewTables).toBe(true);
  const rules = JSON.parse(job.mappingDef);
  expect(rules).toEqual([
    { method: 'SCHEMA_SCHEMA', commonGenRule: 'TO_LOWER_CASE' },
    {
      method: 'TABLE_TABLE',
      serializeMapping: { '{"value":"orders","parent":{"value":"public"}}': '{"value":"bestellung"}' },
      commonGenRule: 'TO_LOWER_CASE',
    },
    {
      method: 'COLUMN_COLUMN',
      serializeMapping: {
        '{"value":"id","parent":{"value":"item","parent":{"value":"sales"}}}': '{"value":"number"}',
      },
      commonGenRule: 'TO_LOWER_CASE',
    },
  ]);
});

test('new tables are added only where there is a pattern and changes are followed', () => {
  expect(madeOf({ tables: 'public.orders' }).addNewTables).toBe(false);
  expect(madeOf({ type: 'MIGRATION' }).addNewTables).toBe(false);
  expect(madeOf({ addNew: 'no' }).addNewTables).toBe(false);
});

test('lines that lead to no chosen table are named', () => {
  const wrong = {
    ...draft,
    filters: 'public.order: id > 1',
    names: 'public.orders\nsales.items -> x\nsales.item -> y',
  };
  expect(strayFilters(wrong)).toEqual(['public.order']);
  expect(newNamesOf(wrong)).toEqual({
    names: [{ table: 'sales.item', column: null, to: 'y' }],
    stray: ['public.orders', 'sales.items'],
  });
});

test('a job that is duplicated brings its tables, filters and names', () => {
  const { srcSchema, mappingDef } = madeOf({});
  const job = { sourceSchema: srcSchema, mappingConfig: mappingDef, sourceDsVO: { id: 1 }, targetDsVO: { id: 2 } };
  const { tables, filters, names, letters, sourceDb } = draftLike(job as Job);
  expect({ tables, filters, names, letters, sourceDb }).toEqual({
    tables: draft.tables,
    filters: draft.filters,
    names: draft.names,
    letters: draft.letters,
    sourceDb: 'shop',
  });
});
