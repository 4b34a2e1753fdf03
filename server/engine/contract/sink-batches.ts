import { expect, test } from 'vitest';
import type { Action, Missing } from '../batch.ts';
import { UNCHANGED } from '../change.ts';
import { keyMark, type Reread } from '../mark.ts';
import { tableName } from '../table.ts';
import { ignoreMissing, type TestedSink } from './tested-sink.ts';

/** How a batch of changes is applied. */
export function batchContract(parts: () => TestedSink): void {
  test('missing rows are reported, and the rereads returned for them are stored', async () => {
    const { again, batch, key, load, row, rows, sink, target, update } = parts();
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
    const { batch, key, load, row, rows, sink, update } = parts();
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
    const { batch, load, row, rows, sink, update } = parts();
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
    const { batch, key, load, row, rows, sink, update } = parts();
    await load('plain', [row('k1', 'a', 'b', 'c1')]);
    // The target may be newer than the log that is applied to it, so log order alone may not be enough.
    const actions: Action[] = [
      { kind: 'upsert', row: row('k2', 'a', 'b', 'c1') },
      { kind: 'delete', key: key('k1') },
    ];
    await sink.apply([batch('plain', ...actions)], update(), ignoreMissing);
    expect((await rows('plain')).map(([id]) => id)).toEqual(['k2']);
  });
}
