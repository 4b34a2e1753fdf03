import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { newJob } from '../testing/job-fixtures.ts';
import { openSqlitePair, type SqlitePair } from '../testing/sqlite-pair.ts';

describe('names that the source does not have', () => {
  let pair: SqlitePair;
  beforeAll(async () => {
    pair = await openSqlitePair();
    pair.source.exec(`CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, password TEXT);
      CREATE TABLE secret (id INTEGER PRIMARY KEY)`);
  });
  afterAll(() => pair.close());

  const path = (value: string, parent?: object) => ({ value, ...(parent && { parent }) });
  const renamed = (method: string, from: object) => [
    { method, serializeMapping: { [JSON.stringify(from)]: JSON.stringify(path('other')) } },
  ];
  const person = { table: 'person' };
  const leftOut = (column: string) => ({ columns: [{ column, inBlackList: true }] });
  const all = { table: '*', tablePattern: '*' };
  const asked = (tables: object[], mappingDef: object[], more: object) =>
    newJob(pair.from, pair.to, '', {
      jobType: 'MIGRATION',
      structMigration: true,
      srcSchema: JSON.stringify([{ db: '', tables }]),
      mappingDef: JSON.stringify(mappingDef),
      ...more,
    });

  test.each([
    ['leaves out the column main.person.Password', [{ ...person, ...leftOut('Password') }], []],
    ['selects the column main.person.nam', [{ ...person, columns: [{ column: 'id' }, { column: 'nam' }] }], []],
    ['leaves out the column main.*.pasword', [{ ...all, ...leftOut('pasword') }], []],
    ['leaves out the table main.secrets', [all, { table: 'secrets', inBlackList: true }], []],
    ['renames the database shop', [person], renamed('DB_DB', path('shop'))],
    ['renames the schema public', [person], renamed('SCHEMA_SCHEMA', path('public'))],
    ['renames the table main.persons', [person], renamed('TABLE_TABLE', path('persons', path('main')))],
    ['renames the table secret', [person], renamed('TABLE_TABLE', path('secret'))],
    ['renames the column person.nam', [person], renamed('COLUMN_COLUMN', path('nam', path('person')))],
    ['renames the column secret.id', [person], renamed('COLUMN_COLUMN', path('id', path('secret')))],
  ])('are refused: a job that %s', async (what, tables, mappingDef) => {
    const request = asked(tables, mappingDef, {});
    for (const call of [jobCalls.precheck, jobCalls.planJob])
      expect((await pair.jobs.open(call, request)).body).toMatchObject({
        code: 'BAD_VALUE',
        msg: expect.stringContaining(`The job ${what}, which`),
      });
  });

  test('are accepted where tables that come later may have them, and where one of several tables does', async () => {
    const later = { jobType: 'SYNC', addNewTables: true };
    const nodes = [
      { ...all, ...leftOut('note') },
      { table: 'secrets', inBlackList: true },
    ];
    const rename = renamed('TABLE_TABLE', path('orders'));
    for (const [tables, mappingDef, more] of [
      [[{ ...all, ...leftOut('password') }], renamed('COLUMN_COLUMN', path('name')), {}],
      [nodes, rename, later],
    ] as const)
      expect((await pair.jobs.open(jobCalls.precheck, asked([...tables], mappingDef, more))).body).toMatchObject({
        success: true,
      });
  });
});
