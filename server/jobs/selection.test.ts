import { describe, expect, test, vi } from 'vitest';
import { fitsPattern } from '../../client/contract/jobs/table-pattern.ts';
import { exampleNewJob } from './api/datajob/create.ts';
import { newJobSchema } from './new-job.ts';
import { isSpelledOut, readSelection, requireAllActions, selectTables } from './selection.ts';

const catalog = ['orders', 'orders_2024', 'orders_2025', 'customers'].map((name) => ({ schema: 'public', name }));
const path = (...names: string[]): object | undefined => {
  const [value, ...parents] = names;
  return value === undefined ? undefined : { value, parent: path(...parents) };
};
const mapped = (from: string[], to: string[]) => ({ [JSON.stringify(path(...from))]: JSON.stringify(path(...to)) });

function tables(schemas: object[], mappingDef: object[] = []) {
  const request = newJobSchema.parse({
    ...exampleNewJob,
    srcSchema: JSON.stringify([{ db: 'shop', schemas }]),
    mappingDef: JSON.stringify(mappingDef),
  });
  return selectTables(request, readSelection(request), catalog);
}

describe('the selection of a request', () => {
  test('finds tables by name without reading the catalog', () => {
    const request = newJobSchema.parse(exampleNewJob);
    expect(isSpelledOut(readSelection(request))).toBe(true);
    expect(selectTables(request, readSelection(request), [])).toEqual([
      {
        schema: 'public',
        name: 'orders',
        target: { schema: 'public', name: 'orders' },
        columns: null,
        renamed: {},
        filter: null,
      },
    ]);
  });

  test('finds a whole schema or a pattern, and an explicitly named table takes precedence', () => {
    expect(tables([{ schema: 'public' }]).map(({ name }) => name)).toEqual(catalog.map(({ name }) => name));
    const filter = { type: 'SQL_WHERE', expression: 'id > 5' };
    const found = tables(
      [
        {
          schema: 'public',
          tables: [
            { table: 'orders_2025', dataFilter: filter },
            { table: '', tablePattern: 'x' },
          ],
        },
      ].map((one) => ({ ...one, tables: [one.tables[0], { table: 'orders', tablePattern: 'orders_.*' }] })),
    );
    expect(found.map(({ name, filter: where }) => [name, where])).toEqual([
      ['orders_2025', 'id > 5'],
      ['orders_2024', null],
    ]);
    expect(() => tables([{ schema: 'other' }])).toThrow('No source table is selected.');
  });

  test('explicit target names take precedence over rules', () => {
    const all = [{ schema: 'public', tables: [{ table: 'Orders', columns: [{ column: 'id' }, { column: 'Sum' }] }] }];
    const [table] = tables(all, [
      { method: 'TABLE_TABLE', commonGenRule: 'TO_UPPER_CASE', serializeMapping: {} },
      { method: 'SCHEMA_SCHEMA', serializeMapping: mapped(['public', 'shop'], ['sales', 'shop']) },
      { method: 'COLUMN_COLUMN', serializeMapping: mapped(['Sum', 'Orders', 'public', 'shop'], ['total', 'ORDERS']) },
    ]);
    expect(table).toMatchObject({
      target: { schema: 'sales', name: 'ORDERS' },
      columns: ['id', 'Sum'],
      renamed: { Sum: 'total' },
    });
    const [moved] = tables(all, [
      { method: 'TABLE_TABLE', serializeMapping: mapped(['Orders', 'public', 'shop'], ['o', 'archive', 'shop']) },
    ]);
    expect(moved?.target).toEqual({ schema: 'archive', name: 'o' });
  });

  test('columns are renamed without being listed, and the naming rule applies to the rest', () => {
    const all = [{ schema: 'Public', tables: [{ table: 'Orders' }, { table: 'Item' }] }];
    const [orders, item] = tables(all, [
      { method: 'SCHEMA_SCHEMA', commonGenRule: 'TO_LOWER_CASE' },
      { method: 'TABLE_TABLE', commonGenRule: 'TO_UPPER_CASE' },
      {
        method: 'COLUMN_COLUMN',
        commonGenRule: 'TO_LOWER_CASE',
        serializeMapping: { ...mapped(['Sum', 'Orders', 'Public'], ['Total']), ...mapped(['Sum'], ['sum_of_all']) },
      },
    ]);
    expect(orders).toMatchObject({
      target: { schema: 'public', name: 'ORDERS' },
      columns: null,
      renamed: { Sum: 'Total' },
      letters: 'lower',
    });
    expect(item).toMatchObject({ renamed: { Sum: 'sum_of_all' }, letters: 'lower' });
  });

  test('each name of a mapping is parsed once, however many tables there are', () => {
    const names = Array.from({ length: 50 }, (_, at) => `t${at}`);
    const renames = names.map((name) => mapped(['id', name, 'public'], [`${name}_id`]));
    const request = newJobSchema.parse({
      ...exampleNewJob,
      srcSchema: JSON.stringify([
        { db: 'shop', schemas: [{ schema: 'public', tables: names.map((table) => ({ table })) }] },
      ]),
      mappingDef: JSON.stringify([{ method: 'COLUMN_COLUMN', serializeMapping: Object.assign({}, ...renames) }]),
    });
    const selection = readSelection(request);
    using parse = vi.spyOn(JSON, 'parse');
    const selected = selectTables(request, selection, []);
    expect(selected.map(({ renamed }) => renamed)).toEqual(names.map((name) => ({ id: `${name}_id` })));
    expect(parse.mock.calls.length).toBeLessThanOrEqual(2 * names.length);
  });

  test('an excluded table is not selected by a pattern or by its schema', () => {
    const black = { table: 'orders_2024', inBlackList: true };
    const names = (nodes: object[]) => tables([{ schema: 'public', tables: nodes }]).map(({ name }) => name);
    expect(names([{ table: 'x', tablePattern: 'orders_*' }, black])).toEqual(['orders_2025']);
    expect(names([black])).toEqual(['orders', 'orders_2025', 'customers']);
  });

  test('an exclusion of databases, schemas, tables or columns overrides every selection', () => {
    const names = (nodes: object[]) => tables([{ schema: 'public', tables: nodes }]).map(({ name }) => name);
    const black = { table: 'x', tablePattern: 'orders*', inBlackList: true };
    expect(names([{ table: '*', tablePattern: '*' }, black])).toEqual(['customers']);
    expect(names([{ table: 'orders' }, { table: 'customers' }, black])).toEqual(['customers']);
    const schemas = [{ schema: 'public' }, { schema: 'b', tables: [{ table: 't' }] }];
    expect(tables([...schemas, { schema: 'public', inBlackList: true }]).map(({ schema }) => schema)).toEqual(['b']);
    const columns = [{ column: 'id' }, { column: 'note' }, { column: 'note', inBlackList: true }];
    const [some, most] = [columns, columns.slice(2)].map((list) =>
      tables([{ schema: 'public', tables: [{ table: 'orders', columns: list }] }]),
    );
    expect(some).toMatchObject([{ columns: ['id', 'note'], without: ['note'] }]);
    expect(most).toMatchObject([{ columns: null, without: ['note'] }]);
    const request = newJobSchema.parse({
      ...exampleNewJob,
      srcSchema: JSON.stringify([
        { db: 'old', inBlackList: true },
        { db: 'shop', schemas: [{ schema: 'public' }] },
      ]),
    });
    expect(readSelection(request).sourceDatabase).toBe('shop');
  });

  test.each([
    [{ actions: ['INSERT', 'UPDATE', 'DELETE'] }, true],
    [{ actions: null, blackActs: [] }, true],
    [{}, true],
    [{ actions: ['INSERT', 'UPDATE'] }, false],
    [{ actions: [] }, false],
    [{ blackActs: ['DELETE'] }, false],
  ])('a job is refused unless it carries all kinds of changes: %j', (more, isTaken) => {
    const request = newJobSchema.parse({
      ...exampleNewJob,
      srcSchema: JSON.stringify([
        { db: 'shop', schemas: [{ schema: 'public', tables: [{ table: 'orders', ...more }] }] },
      ]),
    });
    const check = () => requireAllActions(request);
    if (isTaken) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        /leaves none of them out: give the table orders no actions, or all of INSERT, UPDATE, DELETE/,
      );
  });

  test('name conflicts and unsupported mapping rules are refused with a reason', () => {
    const twice = [
      { schema: 'a', tables: [{ table: 't' }] },
      { schema: 'b', tables: [{ table: 't' }] },
    ];
    const toOne = [{ method: 'SCHEMA_SCHEMA', serializeMapping: { ...mapped(['a'], ['c']), ...mapped(['b'], ['c']) } }];
    expect(tables(twice)).toHaveLength(2);
    expect(() => tables(twice, toOne)).toThrow('Two tables would become c.t at the target.');
    const dotted = [
      { schema: 'a', tables: [{ table: 'b.t' }] },
      { schema: 'a.b', tables: [{ table: 't' }] },
    ];
    const apart = [{ method: 'SCHEMA_SCHEMA', serializeMapping: mapped(['a.b'], ['c']) }];
    expect(() => tables(dotted)).toThrow('Two tables would become a.b.t at the target.');
    expect(() => tables(dotted, apart)).toThrow('Two source tables are both a.b.t, because of a dot in a name');
    expect(() => tables(twice, [{ method: 'TABLE_TOPIC' }])).toThrow('TABLE_TOPIC');
    expect(() => tables(twice, [{ method: 'DB_DB', commonGenRule: 'NUMBER_SUFFIX_REG_EXPRESSION' }])).toThrow('rule');
  });
});

test.each([
  ['orders', 'orders', true],
  ['orders', 'orders_1', false],
  ['*', 'x', true],
  ['orders_*', 'orders_1', true],
  ['orders_.*', 'my_orders_1', false],
  ['a*a', 'a', false],
  ['*_2024_*', 'x_2024_y', true],
  ['o.d', 'o-d', false],
  [`${'*a'.repeat(100)}b`, 'a'.repeat(200), false],
])('the pattern %s matches the name %s: %s', (pattern, name, fits) => expect(fitsPattern(pattern, name)).toBe(fits));
