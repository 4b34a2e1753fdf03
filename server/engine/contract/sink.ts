import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Action, Missing, TableBatch } from '../batch.ts';
import { type Cell, type Key, type Row, type RowChange, UNCHANGED } from '../change.ts';
import { compact, type TableChanges } from '../flow/compact.ts';
import { makeRoute, type Route, routeChange } from '../flow/route.ts';
import { keyMark, type Mark, type MarkUpdate, type Reread, type TableMark } from '../mark.ts';
import type { Load, Sink } from '../sink.ts';
import { type Table, tableName } from '../table.ts';
import { Model, positionAt } from './model.ts';
import { modelTables } from './model-tables.ts';
import { parkingContract } from './parking.ts';
import { Random } from './random.ts';
import type { SinkHarness } from './sink-harness.ts';

const job = 'canal0123456789b';
const selection = {
  schema: 'model',
  target: { schema: 'model', name: '' },
  columns: null,
  renamed: {},
  filter: null,
};
const kinds = [
  'truncate',
  'key change with untold cells',
  'partial update',
  'unique value handed over',
  'delete and insert',
];
const ignoreMissing = () => ({});
const mark: TableMark = {
  state: 'copying',
  ranges: [{ from: null, to: ['a', { bytes: 'AAE=' }], after: null, done: false }],
  rows: 7,
  liveAfter: positionAt(3),
  skippedFrom: null,
  aheadUntil: null,
  resync: false,
  code: null,
  shape: '{}',
  target: '16384',
  files: ['1/2'],
  wasEmpty: true,
};

/** Declares the tests that every sink whose rows and mark commit together must pass. */
export function sinkContract(family: string, fresh: () => Promise<SinkHarness>): void {
  describe(`sink contract: ${family}`, () => {
    let harness: SinkHarness;
    let sink: Sink;
    let ended: AbortController;
    let routes: Map<string, Route>;
    let epoch: number;

    beforeEach(async ({ task }) => {
      harness = await fresh();
      task.meta.proves = { kind: 'side', system: harness.system, side: 'target' };
      ended = new AbortController();
      sink = harness.open(ended.signal);
      const tables = await sink.catalog([]);
      routes = new Map(
        modelTables.map((source) => {
          const target = tables.find(({ name }) => name === source.name);
          if (!target) throw new Error(`The harness made no table ${source.name}.`);
          return [source.id, makeRoute(source, { ...selection, name: source.name }, target)];
        }),
      );
      ({ epoch } = await sink.takeOver(job));
    });

    afterEach(async () => {
      await sink.close();
      ended.abort();
      await harness.close();
    });

    function target(name: string): Table {
      const route = routes.get(name);
      if (!route) throw new Error(`There is no table ${name}.`);
      return route.target;
    }

    function row(...texts: (string | null | typeof UNCHANGED)[]): Row {
      return texts.map((text) => (typeof text === 'string' ? harness.cell(text) : text));
    }

    function key(...texts: string[]): Key {
      return texts.map((text) => textOrBytes(harness.cell(text)));
    }

    function batch(name: string, ...actions: Action[]): TableBatch {
      return compact({ target: target(name), truncate: false, actions });
    }

    function update(more: Partial<MarkUpdate> = {}): MarkUpdate {
      return { job, epoch, ...more };
    }

    async function load(name: string, rows: readonly Row[], more: Partial<Load> = {}): Promise<void> {
      await sink.load(
        { table: target(name), rows, absent: [], replace: null, conflict: 'replace', ...more },
        update({ tables: new Map([[name, mark]]) }),
      );
    }

    async function rows(name: string): Promise<(string | null)[][]> {
      return sorted(await harness.rows(target(name)));
    }

    async function again(): Promise<Mark> {
      await sink.close();
      sink = harness.open(ended.signal);
      const found = await sink.takeOver(job);
      epoch = found.epoch;
      return found;
    }

    /** What the model's log did between two places, as one batch per table. */
    function batches(model: Model, from: number, to: number): TableBatch[] {
      const changes = new Map<string, TableChanges>();
      for (const [id, route] of routes) changes.set(id, { target: route.target, truncate: false, actions: [] });
      const log = model.log.slice(from, to).flatMap((transaction) => transaction.changes);
      for (const change of log) {
        if (change.kind === 'row') addRow(changes, change);
        if (change.kind === 'truncate') addTruncate(changes, change.tables);
      }
      return [...changes.values()].filter(({ truncate, actions }) => truncate || actions.length > 0).map(compact);
    }

    function addTruncate(changes: Map<string, TableChanges>, tables: readonly Table[]): void {
      for (const { id } of tables) changes.set(id, { target: target(id), truncate: true, actions: [] });
    }

    function addRow(changes: Map<string, TableChanges>, change: RowChange): void {
      const route = routes.get(change.table.id);
      if (!route) return;
      const told = { ...change, before: cells(change.before), after: cells(change.after) };
      changes.get(change.table.id)?.actions.push(...routeChange(route, told));
    }

    function cells(texts: Row | null): Row | null {
      return texts?.map((text) => (typeof text === 'string' ? harness.cell(text) : text)) ?? null;
    }

    /** Applies the log from a place on; twice if that changes nothing. @returns the new place */
    async function applyLog(model: Model, from: number, size: number): Promise<number> {
      for (let place = from; place < model.log.length; place += size) {
        const position = positionAt(Math.min(place + size, model.log.length));
        const some = batches(model, place, place + size);
        const missing: Missing[] = [];
        await sink.apply(some, update({ position }), (met) => {
          missing.push(...met.missing);
          return {};
        });
        expect(missing).toEqual([]);
        const isRepeatable = some.every(({ actions }) => actions.every(({ kind }) => kind !== 'move'));
        if (isRepeatable) await sink.apply(some, update({ position }), ignoreMissing);
      }
      return model.log.length;
    }

    async function expectSame(model: Model): Promise<void> {
      for (const table of modelTables) {
        const expected = model.snapshot().rows(table);
        const texts = expected.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
        expect(await rows(table.name), table.name).toEqual(sorted(texts));
      }
    }

    test.each([1, 2, 3])('batches of user changes produce the rows of the model (seed %i)', async (seed) => {
      const random = new Random(seed);
      const counts = new Map<string, number>();
      const model = new Model(random, (kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1));
      let applied = 0;
      for (let round = 0; round < 30; round++) {
        for (let step = 0; step < 40; step++) model.step();
        while (!model.isAtRest) model.finish();
        applied = await applyLog(model, applied, 1 + random.below(4));
        await expectSame(model);
      }
      expect((await again()).position).toEqual(positionAt(model.log.length));
      for (const kind of kinds) expect(counts.get(kind), kind).toBeGreaterThan(0);
    });

    test('a checkpoint is read back as it was written, and its parts can be updated separately', async () => {
      const reread: Reread = { table: 'plain', key: ['a', { bytes: 'AP8=' }], transactions: ['12'] };
      await sink.write(
        update({ incarnation: 'x.1', position: positionAt(4), slice: 3, unseen: ['7'], rereads: [reread] }),
      );
      await sink.write(update({ tables: new Map([['plain', mark]]) }));
      const found = await again();
      expect(found).toEqual({
        epoch: 2,
        incarnation: 'x.1',
        position: positionAt(4),
        slice: 3,
        unseen: ['7'],
        rereads: [reread],
        tables: new Map([['plain', mark]]),
        parked: new Map(),
      });
      await sink.write(update({ tables: new Map([['plain', { ...mark, rows: 8 }]]), slice: 0, unseen: [] }));
      const later = await again();
      expect(later).toMatchObject({ epoch: 3, position: positionAt(4), slice: 0, unseen: [], rereads: [reread] });
      expect(later.tables.get('plain')?.rows).toBe(8);
    });

    test('a damaged checkpoint is reported as such', async () => {
      await harness.run(`UPDATE ${markTable()} SET unseen = '{'`);
      await expect(again()).rejects.toMatchObject({ code: 'MARK_DAMAGED' });
    });

    function markTable(): string {
      return family === 'SQLite' ? 'millrace_mark' : 'millrace.millrace_mark';
    }

    test('writes of an older process are refused, both rows and checkpoint', async () => {
      const other = harness.open(ended.signal);
      await other.takeOver(job);
      const action: Action = { kind: 'upsert', row: row('k1', 'a', 'b', null) };
      const whole: Load = {
        table: target('plain'),
        rows: [action.row],
        absent: [],
        replace: null,
        conflict: 'replace',
      };
      const refused = { code: 'EPOCH_LOST' };
      await expect(sink.apply([batch('plain', action)], update(), ignoreMissing)).rejects.toMatchObject(refused);
      await expect(sink.load(whole, update())).rejects.toMatchObject(refused);
      await expect(sink.load(whole, update({ tables: new Map([['plain', mark]]) }))).rejects.toMatchObject(refused);
      await expect(sink.fill(target('plain'), some([action.row]), update())).rejects.toMatchObject(refused);
      await expect(sink.write(update({ position: positionAt(1) }))).rejects.toMatchObject(refused);
      expect(await rows('plain')).toEqual([]);
      await other.close();
      const found = await again();
      expect(found).toMatchObject({ epoch: 3, position: null });
      expect(found.tables.size).toBe(0);
    });

    test.each(['before', 'after'] as const)(
      'when the connection breaks %s the commit, the next takeover finds what was committed',
      async (when) => {
        await load('plain', [row('k0', 'a', 'b', null)]);
        const failing = await harness.openFailing(ended.signal, when);
        await sink.close();
        const upsert = batch('plain', { kind: 'upsert', row: row('k1', 'a', 'b', null) });
        await expect(failing.apply([upsert], update({ position: positionAt(5) }), ignoreMissing)).rejects.toMatchObject(
          {
            name: 'EngineError',
          },
        );
        await failing.close();
        const found = await again();
        const isThere = when === 'after';
        expect(found.position).toEqual(isThere ? positionAt(5) : null);
        expect((await rows('plain')).map(([id]) => id)).toEqual(isThere ? ['k0', 'k1'] : ['k0']);
      },
    );

    test('rows and checkpoint are stored together: a refused row leaves neither', async () => {
      const good = batch('pair', { kind: 'upsert', row: row('b', 'k1', 'k2', null) });
      const bad = batch('plain', { kind: 'upsert', row: row('refused', 'a', 'b', null) });
      const applied = sink.apply([good, bad], update({ position: positionAt(1) }), ignoreMissing);
      await expect(applied).rejects.toMatchObject({
        code: 'CONSTRAINT_REFUSED',
        place: { side: 'target', table: tableName(target('plain')) },
      });
      await expect(applied).rejects.not.toThrow(/refused'|k1/);
      await expect(load('plain', [row('k3', 'a', 'b', null), row('refused', 'a', 'b', null)])).rejects.toMatchObject({
        code: 'CONSTRAINT_REFUSED',
        place: { table: tableName(target('plain')) },
      });
      expect([...(await rows('pair')), ...(await rows('plain'))]).toEqual([]);
      const found = await again();
      expect([found.position, found.tables.size]).toEqual([null, 0]);
    });

    test('missing rows are reported, and the rereads returned for them are stored', async () => {
      await load('plain', [row('k1', 'a', 'big', 'c1')]);
      const reread: Reread = { table: 'plain', key: keyMark(key('k2')), transactions: ['9'] };
      const told: Missing[] = [];
      const actions: Action[] = [
        { kind: 'update', row: row('k1', 'a2', UNCHANGED, 'c1') },
        { kind: 'update', row: row('k2', 'a2', UNCHANGED, 'c2') },
        { kind: 'delete', key: key('k3') },
        { kind: 'move', from: key('k4'), row: row('k5', 'a', UNCHANGED, null) },
      ];
      await sink.apply([batch('plain', ...actions)], update(), ({ missing }) => {
        told.push(...missing);
        return { rereads: [reread] };
      });
      expect(told.map((one) => [tableName(one.table), ...one.key])).toEqual([
        [tableName(target('plain')), ...key('k2')],
        [tableName(target('plain')), ...key('k5')],
      ]);
      expect(await rows('plain')).toEqual([['k1', 'a2', 'big', 'c1']]);
      expect((await again()).rereads).toEqual([reread]);
    });

    test('a key change takes unchanged cells from the old row, and replaces a row that has its new key', async () => {
      await load('plain', [row('k1', 'a', 'big1', 'c1'), row('k2', 'a', 'big2', 'c2')]);
      await load('pair', [row('big', 'k1', 'k2', 'c')]);
      await sink.apply(
        [
          batch('plain', { kind: 'move', from: key('k1'), row: row('k2', 'moved', UNCHANGED, 'c1') }),
          batch('pair', { kind: 'move', from: key('k1', 'k2'), row: row(UNCHANGED, 'k1', 'k9', 'c') }),
        ],
        update(),
        ignoreMissing,
      );
      expect(await rows('plain')).toEqual([['k2', 'moved', 'big1', 'c1']]);
      expect(await rows('pair')).toEqual([['big', 'k1', 'k9', 'c']]);
    });

    test('unique values can move between rows within a batch, in any order', async () => {
      await load('plain', [row('k1', 'a', 'b', 'c1'), row('k2', 'a', 'b', 'c2'), row('k3', 'a', 'b', 'c3')]);
      const actions: Action[] = [
        { kind: 'upsert', row: row('k3', 'a', 'b', null) },
        { kind: 'update', row: row('k1', 'a', UNCHANGED, 'c3') },
        { kind: 'upsert', row: row('k2', 'a', 'b', 'c1') },
        { kind: 'update', row: row('k3', 'a', UNCHANGED, 'c2') },
      ];
      await sink.apply([batch('plain', ...actions)], update(), ignoreMissing);
      expect((await rows('plain')).map(([id, , , code]) => [id, code])).toEqual([
        ['k1', 'c3'],
        ['k2', 'c1'],
        ['k3', 'c2'],
      ]);
    });

    test('a batch deletes rows before it writes others', async () => {
      await load('plain', [row('k1', 'a', 'b', 'c1')]);
      // The target may be newer than the log that is applied to it, so log order alone may not be enough.
      const actions: Action[] = [
        { kind: 'upsert', row: row('k2', 'a', 'b', 'c1') },
        { kind: 'delete', key: key('k1') },
      ];
      await sink.apply([batch('plain', ...actions)], update(), ignoreMissing);
      expect((await rows('plain')).map(([id]) => id)).toEqual(['k2']);
    });

    test('a chunk replaces or keeps existing rows, and deletes those listed as absent', async () => {
      await load('plain', [row('k1', 'old', 'b', null), row('k2', 'old', 'b', null)]);
      await load('plain', [row('k1', 'new', 'b', null), row('k3', 'new', 'b', null)], { conflict: 'ignore' });
      expect((await rows('plain')).map(([, a]) => a)).toEqual(['old', 'old', 'new']);
      await load('plain', [row('k1', 'new', 'b', null)], { absent: [key('k2')] });
      expect((await rows('plain')).map(([id, a]) => [id, a])).toEqual([
        ['k1', 'new'],
        ['k3', 'new'],
      ]);
      await load('plain', []);
      expect(await rows('plain')).toHaveLength(2);
    });

    parkingContract(() => ({
      harness,
      sink,
      target,
      row,
      key,
      update,
      rows,
      again,
      openFailing: (when) => harness.openFailing(ended.signal, when),
    }));

    test('texts of every kind are stored unchanged by a chunk and by a batch', async () => {
      const texts = ['', ' ', '\\N', '\\.', 'a\tb\nc\rd\\e', '"{}",NULL', "'", 'NULL', '€😀', '\u0001\u007f'];
      await load(
        'plain',
        texts.map((text, place) => row(`k${place}`, text, text, null)),
      );
      await load(
        'plain',
        texts.map((text, place) => row(`k${place}`, text, text, null)),
      );
      const upserts = texts.map((text, place): Action => ({ kind: 'upsert', row: row(`m${place}`, text, text, null) }));
      await sink.apply([batch('plain', ...upserts)], update(), ignoreMissing);
      const found = await rows('plain');
      for (const [place, text] of texts.entries()) {
        expect(found).toContainEqual([`k${place}`, text, text, null]);
        expect(found).toContainEqual([`m${place}`, text, text, null]);
      }
    });

    test('a resync deletes rows of its range that it neither writes nor keeps, and none outside it', async () => {
      const table = { ...target('plain'), ordered: true };
      const ids = ['k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7'];
      await load(
        'plain',
        ids.map((id) => row(id, 'old', 'b', null)),
      );
      const range = { from: keyMark(key('k0')), to: keyMark(key('k6')), after: keyMark(key('k1')), done: false };
      const part = { range, upTo: key('k5'), keep: [key('k4')] };
      await load('plain', [row('k3', 'new', 'b', null)], { table, replace: part });
      expect((await rows('plain')).map(([id, a]) => `${id} ${a}`)).toEqual([
        'k1 old',
        'k3 new',
        'k4 old',
        'k6 old',
        'k7 old',
      ]);
      await load('plain', [], { table, replace: { range, upTo: null, keep: [] } });
      expect((await rows('plain')).map(([id]) => id)).toEqual(['k1', 'k7']);
      await load('pair', [row('b', 'k1', 'k1', null), row('b', 'k1', 'k2', null), row('b', 'k2', 'k1', null)]);
      const pairs = { from: keyMark(key('k1', 'k1')), to: keyMark(key('k2', 'k0')), after: null, done: false };
      await load('pair', [], {
        table: { ...target('pair'), ordered: true },
        replace: { range: pairs, upTo: null, keep: [] },
      });
      expect((await rows('pair')).map(([, k1, k2]) => `${k1} ${k2}`)).toEqual(['k1 k1', 'k2 k1']);
    });

    test('if the target may sort a table differently, only a full resync deletes its rows', async () => {
      const table = { ...target('plain'), ordered: false };
      const whole = { from: null, to: null, after: null, done: false };
      const k2 = keyMark(key('k2'));
      await load('plain', [row('k1', 'old', 'b', null), row('k3', 'old', 'b', null)]);
      for (const { range, upTo } of [
        { range: { ...whole, from: k2 }, upTo: null },
        { range: { ...whole, to: k2 }, upTo: null },
        { range: { ...whole, after: k2 }, upTo: null },
        { range: whole, upTo: key('k4') },
      ])
        await load('plain', [row('k2', 'new', 'b', null)], { table, replace: { range, upTo, keep: [] } });
      expect((await rows('plain')).map(([id]) => id)).toEqual(['k1', 'k2', 'k3']);
      const replace = { range: whole, upTo: null, keep: [key('k3')] };
      await load('plain', [row('k4', 'new', 'b', null)], { table, replace });
      expect((await rows('plain')).map(([id]) => id)).toEqual(['k3', 'k4']);
    });

    test('lists the keys of a table page by page', async () => {
      const pairs = ['1', '2', '3'].flatMap((k1) => ['a', 'b', 'c'].map((k2) => [k2, k1]));
      await load(
        'pair',
        pairs.map(([k1 = '', k2 = '']) => row('b', k1, k2, null)),
      );
      const told: string[] = [];
      for (let after: Key | null = null; ; ) {
        const keys: Key[] = await sink.keys(target('pair'), after, 4);
        told.push(...keys.map((one) => one.join(' ')));
        after = keys.at(-1) ?? null;
        if (keys.length < 4) break;
      }
      expect(told).toEqual(pairs.map(([k1 = '', k2 = '']) => key(k1, k2).join(' ')).sort());
    });

    test('a chunk with a row whose unique value another row holds is refused as a whole', async () => {
      await load('plain', [row('k1', 'a', 'b', 'c1')]);
      await expect(load('plain', [row('k0', 'a', 'b', null), row('k2', 'a', 'b', 'c1')])).rejects.toMatchObject({
        code: 'UNIQUE_REFUSED',
        place: { table: tableName(target('plain')) },
      });
      expect((await rows('plain')).map(([id]) => id)).toEqual(['k1']);
    });

    test('rows holding a unique value of another incoming row are evicted, and the checkpoint records it', async () => {
      await load('plain', [row('k1', 'a', 'b', 'c1'), row('k2', 'a', 'b', 'c2'), row('k3', 'a', 'b', 'c3')]);
      const reread: Reread = { table: 'plain', key: keyMark(key('k2')), transactions: ['9'] };
      const rows2 = [row('k1', 'a', 'b', 'c2'), row('k3', 'a', UNCHANGED, 'c3'), row('k4', 'a', UNCHANGED, 'c1')];
      const evicted = await sink.evict(target('plain'), rows2, (keys) => {
        expect(keys).toHaveLength(2);
        return update({ rereads: [reread] });
      });
      expect(evicted.map((one) => one.join()).sort()).toEqual([...key('k1'), ...key('k2')].map(String));
      expect((await rows('plain')).map(([id]) => id)).toEqual(['k3']);
      expect((await again()).rereads).toEqual([reread]);
      expect(await sink.evict(target('plain'), rows2, () => expect.unreachable())).toEqual([]);
    });

    test('a table is emptied and filled in one transaction', async () => {
      await load('plain', [row('k1', 'a', 'b', null)]);
      const filled = await sink.fill(
        target('plain'),
        some([row('k2', 'a', 'b', null)], [row('k3', 'a', 'b', null)]),
        update(),
      );
      expect(filled).toBe(2);
      expect((await rows('plain')).map(([id]) => id)).toEqual(['k2', 'k3']);
      const broken = async function* () {
        yield [row('k4', 'a', 'b', null)];
        throw new Error('the source broke');
      };
      await expect(sink.fill(target('plain'), broken(), update())).rejects.toThrow();
      expect((await rows('plain')).map(([id]) => id)).toEqual(['k2', 'k3']);
    });

    test('a table belongs to the job that writes to it until that job is forgotten or leaves it out', async () => {
      const other = 'canal0123456789c';
      const [plain, pair, loose] = [target('plain'), target('pair'), target('loose')];
      const names = (taken: ReadonlyMap<string, string>) => [...taken];
      expect(names(await sink.taken(other, [plain]))).toEqual([]);
      expect(names(await sink.claim(job, [plain, pair]))).toEqual([]);
      expect(names(await sink.claim(job, [plain, pair]))).toEqual([]);
      expect(names(await sink.taken(job, [plain, pair]))).toEqual([]);
      expect(names(await sink.taken(other, [pair, loose]))).toEqual([[tableName(pair), job]]);
      expect(names(await sink.claim(other, [pair, loose]))).toEqual([[tableName(pair), job]]);
      expect(names(await sink.claim(job, [plain, loose]))).toEqual([[tableName(loose), other]]);
      expect(names(await sink.claim(other, [pair]))).toEqual([]);
      await sink.forget(job);
      expect(names(await sink.claim(other, [plain, pair, loose]))).toEqual([]);
      await sink.forget(other);
      expect(await harness.leftovers()).toEqual([]);
    });

    test('a checkpoint stored by an earlier version is found, and deleted with its job', async () => {
      await harness.run(`DROP TABLE ${markTable().replace('_mark', '_target')}`);
      expect(await sink.parked(job, 'plain', 0, 10)).toEqual([]);
      expect((await again()).epoch).toBe(2);
      await harness.run(`DROP TABLE ${markTable().replace('_mark', '_target')}`);
      await sink.forget(job);
      expect(await harness.leftovers()).toEqual([]);
    });

    test('forgetting jobs leaves nothing behind, and can be repeated', async () => {
      await sink.takeOver('canal0123456789c');
      await sink.forget(job);
      expect(await harness.leftovers()).not.toEqual([]);
      await sink.forget('canal0123456789c');
      expect(await harness.leftovers()).toEqual([]);
      await sink.forget(job);
      expect((await sink.takeOver(job)).epoch).toBe(1);
    });

    test('the check reports a missing table, column or key', async () => {
      const good = target('plain');
      const faults = async (table: Table) =>
        (await sink.check([table])).filter(({ result }) => result === 'fault').map(({ type }) => type);
      expect(await faults(good)).toEqual([]);
      expect(await faults({ ...good, name: 'other' })).toEqual(['STRUCT_EXISTENCE']);
      const column = { name: 'more', type: 'text', nullable: true, generated: false };
      expect(await faults({ ...good, columns: [...good.columns, column] })).toEqual(['STRUCT_EXISTENCE']);
      expect(await faults({ ...good, key: [1] })).toEqual(['STRUCT_TABLE_PK']);
    });
  });
}

async function* some(...parts: Row[][]): AsyncGenerator<Row[]> {
  yield* parts;
}

function textOrBytes(cell: Cell): string | Uint8Array {
  if (typeof cell === 'string' || cell instanceof Uint8Array) return cell;
  throw new Error('A key has no such cell.');
}

function sorted(rows: readonly (string | null)[][]): (string | null)[][] {
  return [...rows].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}
