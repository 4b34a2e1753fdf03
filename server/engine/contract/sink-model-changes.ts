import { expect, test } from 'vitest';
import type { Missing, TableBatch } from '../batch.ts';
import type { RowChange } from '../change.ts';
import { compact, type TableChanges } from '../flow/compact.ts';
import { routeChange } from '../flow/route.ts';
import { Model, positionAt } from './model.ts';
import { modelTables } from './model-tables.ts';
import { Random } from './random.ts';
import { sorted } from './sorted.ts';
import { ignoreMissing, type TestedSink } from './tested-sink.ts';

const kinds = [
  'truncate',
  'key change with untold cells',
  'partial update',
  'unique value handed over',
  'delete and insert',
];

/** Changes of the model's users, batch by batch. */
export function modelContract(parts: () => TestedSink): void {
  test.each([1, 2, 3])('batches of user changes produce the rows of the model (seed %i)', async (seed) => {
    const random = new Random(seed);
    const counts = new Map<string, number>();
    const model = new Model(random, (kind) => counts.set(kind, (counts.get(kind) ?? 0) + 1));
    let applied = 0;
    for (let round = 0; round < 30; round++) {
      for (let step = 0; step < 40; step++) model.step();
      while (!model.isAtRest) model.finish();
      applied = await applyLog(parts(), model, applied, 1 + random.below(4));
      await expectSame(parts(), model);
    }
    expect((await parts().again()).position).toEqual(positionAt(model.log.length));
    for (const kind of kinds) expect(counts.get(kind), kind).toBeGreaterThan(0);
  });
}

/** Applies the log from a place on; twice if that changes nothing. @returns the new place */
async function applyLog(tested: TestedSink, model: Model, from: number, size: number): Promise<number> {
  const { sink, update } = tested;
  for (let place = from; place < model.log.length; place += size) {
    const position = positionAt(Math.min(place + size, model.log.length));
    const some = batches(tested, model, place, place + size);
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

/** What the model's log did between two places, as one batch per table. */
function batches(tested: TestedSink, model: Model, from: number, to: number): TableBatch[] {
  const changes = new Map<string, TableChanges>();
  for (const [id, { target }] of tested.routes) changes.set(id, { target, truncate: false, actions: [] });
  const log = model.log.slice(from, to).flatMap((transaction) => transaction.changes);
  for (const change of log) {
    if (change.kind === 'row') addRow(tested, changes, change);
    if (change.kind === 'truncate')
      for (const { id } of change.tables) changes.set(id, { target: tested.target(id), truncate: true, actions: [] });
  }
  return [...changes.values()].filter(({ truncate, actions }) => truncate || actions.length > 0).map(compact);
}

function addRow({ routes, row }: TestedSink, changes: Map<string, TableChanges>, change: RowChange): void {
  const route = routes.get(change.table.id);
  if (!route) return;
  const { before, after } = change;
  const told = { ...change, before: before && row(...before), after: after && row(...after) };
  changes.get(change.table.id)?.actions.push(...routeChange(route, told));
}

async function expectSame({ rows }: TestedSink, model: Model): Promise<void> {
  for (const table of modelTables) {
    const expected = model.snapshot().rows(table);
    const texts = expected.map((row) => row.map((cell) => (cell === null ? null : String(cell))));
    expect(await rows(table.name), table.name).toEqual(sorted(texts));
  }
}
