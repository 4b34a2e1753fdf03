import { expect, test } from 'vitest';
import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { Job } from '../../contract/jobs/jobs.ts';
import { draftFromKept, emptyDraft, type JobDraft } from './draft.ts';
import { faultOfLines } from './draft-faults.ts';
import { newNamesOf, patternEffectIn, withTables } from './draft-lines.ts';
import { draftFromJob } from './draft-of-job.ts';
import { newJobOf } from './request-of-draft.ts';

const sources = [1, 2].map((id) => ({ id, hostType: 'PRIVATE' })) as DataSource[];
const chosen: JobDraft = {
  ...emptyDraft,
  source: '1',
  target: '2',
  sourceDb: 'shop',
  targetDb: 'warehouse',
  targetSchema: 'copy',
  tables: 'public.orders\nsales.line*',
  addNew: 'yes',
  structure: 'no',
  ddl: 'stop',
  conflict: 'IGNORE',
};

/** The job that the server creates from a request, as far as a duplicate reads it. */
function jobOf(model: JobDraft): Job {
  const request = newJobOf(model, sources);
  return {
    sourceDsVO: { id: request?.srcDsId },
    targetDsVO: { id: request?.dstDsId, database: 'other' },
    sourceSchema: request?.srcSchema,
    mappingConfig: request?.mappingDef,
    dataJobType: request?.jobType,
    structMigration: request?.structMigration,
    initialSync: request?.initialSync,
    ddl: request?.ddl,
    keyConflictStrategy: request?.keyConflictStrategy,
    addNewTables: request?.addNewTables,
  } as Job;
}

test('a kept draft comes back; choices that are no longer offered are as in a new draft', () => {
  expect(draftFromKept({ ...chosen })).toEqual(chosen);
  expect(draftFromKept({ tables: 'orders', type: 'ANALYSIS', ddl: 'ask', addNew: '1', colour: 'red' })).toEqual({
    ...emptyDraft,
    tables: 'orders',
  });
});

test('a job without a name is named after its source and target', () => {
  const [shop, copy] = [{ instanceDesc: 'Shop' }, { instanceDesc: '', instanceId: 'pg-copy' }].map((names, at) => ({
    ...sources[at],
    ...names,
  })) as DataSource[];
  const nameOf = (name: string) => newJobOf({ ...chosen, name }, [shop, copy] as DataSource[])?.dataJobDesc;
  expect(['', '  ', ' Orders '].map(nameOf)).toEqual(['Shop to pg-copy', 'Shop to pg-copy', 'Orders']);
});

test('a duplicate has every choice of the original job except the name', () => {
  expect({ ...emptyDraft, ...draftFromJob(jobOf(chosen)) }).toEqual(chosen);
});

test('without another name at the target, a duplicate has the name from the data source', () => {
  const plain: JobDraft = { ...chosen, targetDb: '', targetSchema: '' };
  const job = jobOf(plain);
  expect(draftFromJob(job)).toMatchObject({ targetDb: 'other', targetSchema: '' });
  expect(draftFromJob({ ...job, targetSchema: '[{"db":"dw"}]' })).toMatchObject({ targetDb: 'dw' });
});

test("a duplicate of tables without a schema names them as the source's list does, and more can be chosen", () => {
  const model = jobOf({ ...chosen, targetSchema: '', tables: 'item\nlog*', filters: 'item: id > 3' });
  const copy = draftFromJob(model);
  expect(copy).toMatchObject({ tables: 'main.item\nmain.log*', filters: 'main.item: id > 3' });
  const more = newJobOf({ ...emptyDraft, ...copy, tables: `${copy.tables}\nmain.price\nplain` }, sources);
  const named = JSON.parse(more?.srcSchema ?? '')[0].schemas.flatMap(
    ({ schema, tables }: { schema: string; tables: { table: string }[] }) =>
      tables.map(({ table }) => `${schema}.${table}`),
  );
  expect(named.toSorted()).toEqual(['main.item', 'main.log*', 'main.plain', 'main.price']);
});

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
  const job = newJobOf({ ...draft, ...changes }, sources);
  if (!job) throw new Error('Nothing is missing.');
  return job;
}

test('lines of tables, patterns, filters and names become the request', () => {
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

test('new tables are added only if there is a pattern and changes are followed', () => {
  expect(madeOf({ tables: 'public.orders', filters: '', names: '' }).addNewTables).toBe(false);
  expect(madeOf({ type: 'MIGRATION' }).addNewTables).toBe(false);
  expect(madeOf({ addNew: 'no' }).addNewTables).toBe(false);
});

test('lines that match no chosen table are listed', () => {
  const wrong = {
    ...draft,
    names: 'public.orders\nsales.items -> x\nsales.item -> y',
  };
  expect(newNamesOf(wrong)).toEqual({
    names: [{ table: 'sales.item', column: null, to: 'y' }],
    stray: ['public.orders', 'sales.items'],
  });
});

test.each([
  ['public.order: id > 1', 'public.order is not one of the selected tables.'],
  ["sales.item region = 'EU'", "“sales.item region = 'EU'” has no colon after its table."],
  ['sales.item:', 'Nothing follows the colon after sales.item.'],
  ['sales.item: id > 1\nsales.item: id < 9', 'sales.item has two lines.'],
  ['sales.item: id > 1', undefined],
])('no job is created from a line that would be left out: %s', (lines, fault) => {
  expect(faultOfLines(draft, lines)).toBe(fault);
  for (const kind of ['filters', 'columns']) {
    const made = newJobOf({ ...draft, [kind]: lines }, sources);
    expect(made === undefined, kind).toBe(fault !== undefined);
  }
});

test('a duplicated job brings its tables, filters and names', () => {
  const { srcSchema, mappingDef } = madeOf({});
  const job = { sourceSchema: srcSchema, mappingConfig: mappingDef, sourceDsVO: { id: 1 }, targetDsVO: { id: 2 } };
  const { tables, filters, names, letters, sourceDb } = draftFromJob(job as Job);
  expect({ tables, filters, names, letters, sourceDb }).toEqual({
    tables: draft.tables,
    filters: draft.filters,
    names: draft.names,
    letters: draft.letters,
    sourceDb: 'shop',
  });
});

test('exclusions go into the request and come back with a duplicate', () => {
  const some = {
    ...draft,
    tables: 'public.*\nsales.item\n!public.log_*\n!public.secret\n!other.table',
    columns: 'public.*: !note, !remark\nsales.item: id, price',
    filters: '',
    names: '',
  };
  const job = madeOf(some);
  expect(JSON.parse(job.srcSchema)).toEqual([
    {
      db: 'shop',
      schemas: [
        {
          schema: 'public',
          tables: [
            {
              table: '*',
              tablePattern: '*',
              columns: [
                { column: 'note', inBlackList: true },
                { column: 'remark', inBlackList: true },
              ],
            },
            { table: 'log_*', tablePattern: 'log_*', inBlackList: true },
            { table: 'secret', inBlackList: true },
          ],
        },
        { schema: 'sales', tables: [{ table: 'item', columns: [{ column: 'id' }, { column: 'price' }] }] },
      ],
    },
  ]);
  const model = {
    ...job,
    sourceSchema: job.srcSchema,
    mappingConfig: '[]',
    sourceDsVO: { id: 1 },
    targetDsVO: { id: 2 },
  };
  const like = draftFromJob(model as unknown as Job);
  expect(like.columns).toBe(some.columns);
  expect(like.tables?.split('\n').toSorted()).toEqual(
    ['public.*', 'sales.item', '!public.log_*', '!public.secret'].toSorted(),
  );
  expect(withTables(some, ['sales.item'])).toBe('sales.item\n!public.log_*\n!public.secret\n!other.table');
});

test('a table list shows what patterns match and what is left out', () => {
  const draft = { ...emptyDraft, tables: 'public.order_*\npublic.order_old\npublic.item\n!public.order_x*' };
  const tables = [
    'public.order_new',
    'public.order_old',
    'public.item',
    'public.order_x1',
    'public.log',
    'sales.order_a',
  ];
  expect(tables.map(patternEffectIn(draft))).toEqual(['taken', undefined, undefined, 'left out', undefined, undefined]);
  expect(patternEffectIn({ ...emptyDraft, tables: '*' })('log')).toBe('taken');
});

test("a duplicate of another client's job leaves out what that job leaves out", () => {
  const sourceSchema = JSON.stringify([
    { db: 'old', inBlackList: true },
    {
      db: 'shop',
      schemas: [
        { schema: 'public', tables: [{ table: 'secret', inBlackList: true }] },
        { schema: 'audit', inBlackList: true },
        { schema: 'sales', tables: null },
      ],
    },
  ]);
  const { sourceDb, tables } = draftFromJob({ sourceSchema, sourceDsVO: { id: 1 }, targetDsVO: { id: 2 } } as Job);
  expect({ sourceDb, tables }).toEqual({ sourceDb: 'shop', tables: 'public.*\nsales.*\n!public.secret' });
});
