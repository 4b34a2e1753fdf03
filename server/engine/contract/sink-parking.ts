import { expect, test } from 'vitest';
import type { Action, Met, Parks, Refused, TableBatch } from '../batch.ts';
import { type Key, type Row, UNCHANGED } from '../change.ts';
import { compact } from '../flow/compact.ts';
import { keyMark, type MarkUpdate, type ParkedRow } from '../mark.ts';
import type { Load } from '../sink.ts';
import { positionAt } from './model.ts';
import type { TestedSink } from './tested-sink.ts';

const when = { position: '0/1', at: 7 };

/** Every refused row, numbered from 1 on. */
function parkAll(refused: readonly Refused[]): { table: string; unpark: []; park: ParkedRow[] }[] {
  const park = refused.map(
    ({ key, op, error }, place): ParkedRow => ({ number: place + 1, key: keyMark(key), op, code: error.code, ...when }),
  );
  return [{ table: 'plain', unpark: [], park }];
}

/** What happens to rows that the target refuses. */
export function parkingContract(parts: () => TestedSink): void {
  function upserts(ids: readonly string[], a = 'a'): Action[] {
    return ids.map((id) => ({ kind: 'upsert', row: parts().row(id, id.startsWith('bad') ? 'refused' : a, 'b', null) }));
  }

  function batchOf(actions: Action[], parks: Parks = 'everything'): TableBatch {
    return compact({ target: parts().target('plain'), truncate: false, actions, parks });
  }

  async function apply(batch: TableBatch, more: Partial<MarkUpdate> = {}): Promise<Met> {
    const { sink, update } = parts();
    let met: Met = { missing: [], refused: [] };
    await sink.apply([batch], update(more), (told) => {
      met = told;
      return { parked: parkAll(told.refused) };
    });
    return met;
  }

  async function load(rows: readonly Row[], more: Partial<Load> = {}): Promise<readonly Refused[]> {
    const { sink, target, update } = parts();
    let refused: readonly Refused[] = [];
    const whole: Load = { table: target('plain'), rows, absent: [], replace: null, conflict: 'replace', ...more };
    await sink.load({ parks: 'values', ...whole }, update(), (told) => {
      refused = told;
      return parkAll(told);
    });
    return refused;
  }

  const idsOf = async () => (await parts().rows('plain')).map(([id]) => id);
  const textOf = (key: Key) => key.map((cell) => String(cell).replace(/^t:/, '')).join();

  test('refused rows are parked, and the rest of their batch and its checkpoint are stored', async () => {
    const { key, again } = parts();
    const ids = Array.from(
      { length: 40 },
      (_, place) => `${[3, 17, 39].includes(place) ? 'bad' : 'good'}${place + 10}`,
    );
    const met = await apply(batchOf(upserts(ids)), { position: positionAt(5) });
    expect(met.refused.map((one) => [textOf(one.key), one.op, one.error.code])).toEqual([
      ['bad13', 'upsert', 'CONSTRAINT_REFUSED'],
      ['bad27', 'upsert', 'CONSTRAINT_REFUSED'],
      ['bad49', 'upsert', 'CONSTRAINT_REFUSED'],
    ]);
    for (const { error } of met.refused)
      expect(JSON.stringify([error.message, error.place])).not.toMatch(/bad|'refused'/);
    expect(await idsOf()).toEqual(ids.filter((id) => id.startsWith('good')));
    const { position, parked } = await again();
    expect(position).toEqual(positionAt(5));
    const stored = parked.get('plain')?.map((row) => [row.number, row.key, row.op, row.code, row.position, row.at]);
    expect(stored).toEqual(
      ['bad13', 'bad27', 'bad49'].map((id, place) => [
        place + 1,
        keyMark(key(id)),
        'upsert',
        'CONSTRAINT_REFUSED',
        '0/1',
        7,
      ]),
    );
  });

  test('a batch that may not park rows is refused as a whole', async () => {
    const { sink, target, update } = parts();
    const batch = compact({ target: target('plain'), truncate: false, actions: upserts(['good', 'bad']) });
    await expect(sink.apply([batch], update(), () => ({}))).rejects.toMatchObject({ code: 'CONSTRAINT_REFUSED' });
    expect(await idsOf()).toEqual([]);
  });

  test('a refused row absorbs its later changes in the batch, until a delete', async () => {
    const { row, key } = parts();
    await apply(batchOf(upserts(['k1', 'k2', 'k3'], 'old')));
    const { refused } = await apply(
      batchOf([
        { kind: 'upsert', row: row('k1', 'refused', 'b', null) },
        { kind: 'upsert', row: row('k2', 'refused', 'b', null) },
        // A key change keeps the batch in log order.
        { kind: 'move', from: key('k3'), row: row('k4', 'moved', 'b', null) },
        { kind: 'upsert', row: row('k1', 'absorbed', 'b', null) },
        { kind: 'delete', key: key('k2') },
        { kind: 'upsert', row: row('k2', 'after the delete', 'b', null) },
      ]),
    );
    expect(refused.map((one) => textOf(one.key))).toEqual(['k1']);
    expect((await parts().rows('plain')).map(([id, a]) => [id, a])).toEqual([
      ['k1', 'old'],
      ['k2', 'after the delete'],
      ['k4', 'moved'],
    ]);
  });

  test('a refused key change deletes the old row and parks the new key', async () => {
    const { row, key } = parts();
    await apply(batchOf(upserts(['k1', 'k2'], 'old')));
    const moves: Action[] = [
      { kind: 'move', from: key('k1'), row: row('refused', 'a', UNCHANGED, null) },
      { kind: 'upsert', row: row('k3', 'a', 'b', null) },
    ];
    const { refused, missing } = await apply(batchOf(moves));
    expect(refused.map((one) => [textOf(one.key), one.op])).toEqual([['refused', 'move']]);
    expect(missing).toEqual([]);
    expect(await idsOf()).toEqual(['k2', 'k3']);
  });

  test('a refused row whose key changes later is read again under its new key', async () => {
    const { row, key } = parts();
    await apply(batchOf(upserts(['k1'], 'old')));
    const { refused, missing } = await apply(
      batchOf([
        { kind: 'upsert', row: row('k1', 'refused', 'new', null) },
        { kind: 'move', from: key('k1'), row: row('k2', 'a', UNCHANGED, null) },
      ]),
    );
    expect([refused, missing.map((one) => textOf(one.key))]).toEqual([[], ['k2']]);
    expect(await idsOf()).toEqual([]);
  });

  test('a row whose unique value another row holds is parked only if the table is live', async () => {
    const { harness, row } = parts();
    const [held, taker]: Action[] = [
      { kind: 'upsert', row: row('k1', 'a', 'b', 'c1') },
      { kind: 'upsert', row: row('k2', 'a', 'b', 'c1') },
    ];
    if (!held || !taker) throw new Error('There are two.');
    await apply(batchOf([held]));
    if (harness.evicts) {
      await apply(batchOf([taker]));
      expect(await idsOf()).toEqual(['k2']);
      return;
    }
    const other: Action = { kind: 'upsert', row: row('k3', 'refused', 'b', null) };
    const early = apply(batchOf([taker, other], 'values'));
    await expect(early).rejects.toMatchObject({ code: 'UNIQUE_REFUSED' });
    await expect(load([row('k2', 'a', 'b', 'c1')])).rejects.toMatchObject({ code: 'UNIQUE_REFUSED' });
    expect(await idsOf()).toEqual(['k1']);
    const { refused } = await apply(batchOf([taker, other, ...upserts(['k4'])]));
    expect(refused.map((one) => [textOf(one.key), one.error.code])).toEqual([
      ['k2', 'UNIQUE_REFUSED'],
      ['k3', 'CONSTRAINT_REFUSED'],
    ]);
    expect(await idsOf()).toEqual(['k1', 'k4']);
  });

  test('in a batch that moves a unique value between rows, only the refused row is parked', async () => {
    const { row } = parts();
    await apply(batchOf([{ kind: 'upsert', row: row('k1', 'a', 'b', 'c1') }, ...upserts(['k2'])]));
    const { refused } = await apply(
      batchOf([
        { kind: 'upsert', row: row('k1', 'a', 'b', null) },
        { kind: 'update', row: row('k2', 'a', UNCHANGED, 'c1') },
        ...upserts(['bad']),
      ]),
    );
    expect(refused.map((one) => textOf(one.key))).toEqual(['bad']);
    expect((await parts().rows('plain')).map(([id, , , code]) => [id, code])).toEqual([
      ['k1', null],
      ['k2', 'c1'],
    ]);
  });

  test('a truncate is applied before the rows of its batch, even if some are refused', async () => {
    await apply(batchOf(upserts(['k1', 'k2'])));
    await apply({ ...batchOf(upserts(['k3', 'bad'])), truncate: true });
    expect(await idsOf()).toEqual(['k3']);
  });

  test('a chunk leaves out refused rows, in an empty table and over existing rows', async () => {
    const { row } = parts();
    const chunk = ['k1', 'bad1', 'k2', 'k3', 'bad2'].map((id) =>
      row(id, id.startsWith('bad') ? 'refused' : 'a', 'b', null),
    );
    expect((await load(chunk)).map((one) => [textOf(one.key), one.op])).toEqual([
      ['bad1', 'copy'],
      ['bad2', 'copy'],
    ]);
    const again = chunk.map((cells) =>
      cells.map((cell, place) => (place === 2 ? (parts().row('new')[0] ?? null) : cell)),
    );
    expect((await load(again)).map((one) => textOf(one.key))).toEqual(['bad1', 'bad2']);
    expect((await parts().rows('plain')).map(([id, , big]) => [id, big])).toEqual([
      ['k1', 'new'],
      ['k2', 'new'],
      ['k3', 'new'],
    ]);
    await expect(load(chunk.slice(0, 2), { conflict: 'ignore' })).resolves.toHaveLength(1);
  });

  test('a resync with refused rows deletes only rows of its range that it neither writes nor keeps', async () => {
    const { row, key, target } = parts();
    const table = { ...target('plain'), ordered: true };
    await apply(batchOf(upserts(['k1', 'k2', 'k3', 'k5'], 'old')));
    const range = { from: null, to: keyMark(key('k4')), after: null, done: false };
    const rows = [row('k0', 'refused', 'b', null), row('k2', 'new', 'b', null)];
    const refused = await load(rows, { table, absent: [], replace: { range, upTo: null, keep: [key('k3')] } });
    expect(refused.map((one) => textOf(one.key))).toEqual(['k0']);
    expect((await parts().rows('plain')).map(([id, a]) => [id, a])).toEqual([
      ['k2', 'new'],
      ['k3', 'old'],
      ['k5', 'old'],
    ]);
  });

  test('a batch is rolled back if too many of its rows are found to be refused', async () => {
    const { sink, update, again } = parts();
    const settle = () => {
      throw new Error('too many');
    };
    await expect(sink.apply([batchOf(upserts(['k1', 'bad']))], update(), settle)).rejects.toThrow();
    expect(await idsOf()).toEqual([]);
    expect((await again()).parked.size).toBe(0);
  });

  test.each(['before', 'after'] as const)(
    'when the connection breaks %s the commit, a refused row is parked with its batch or not at all',
    async (how) => {
      const { update, again } = parts();
      const failing = await parts().openFailing(how);
      const broken = failing.apply([batchOf(upserts(['k1', 'bad']))], update({ position: positionAt(5) }), (met) => ({
        parked: parkAll(met.refused),
      }));
      await expect(broken).rejects.toMatchObject({ name: 'EngineError' });
      await failing.close();
      const { position, parked } = await again();
      const isThere = how === 'after';
      expect([await idsOf(), position, parked.get('plain')?.length]).toEqual(
        isThere ? [['k1'], positionAt(5), 1] : [[], null, undefined],
      );
    },
  );

  test('parked rows are read page by page, and removed by number, all at once, or with their job', async () => {
    const { sink, update, key, again } = parts();
    const row = (number: number, text: string): ParkedRow => ({
      number,
      key: keyMark(key(text)),
      op: 'update',
      code: 'VALUE_REFUSED',
      ...when,
    });
    const { job } = update();
    expect(await sink.parked('canal00000000000', 'plain', 0, 10)).toEqual([]);
    await sink.write(
      update({ parked: [{ table: 'plain', unpark: [], park: [row(1, 'a'), row(2, 'b'), row(3, '€"')] }] }),
    );
    await sink.write(update({ parked: [{ table: 'pair', unpark: [], park: [row(1, 'other')] }] }));
    const page = await sink.parked(job, 'plain', 1, 1);
    expect(page).toEqual([{ ...row(2, 'b'), key: ['b'] }]);
    expect((await sink.parked(job, 'plain', 2, 9)).map((one) => one.key)).toEqual([['€"']]);
    const refusedAgain = { ...row(2, 'b'), code: 'CONSTRAINT_REFUSED' as const };
    await sink.write(update({ parked: [{ table: 'plain', unpark: [1], park: [refusedAgain] }] }));
    expect((await again()).parked.get('plain')).toEqual([refusedAgain, row(3, '€"')]);
    await parts().sink.write(parts().update({ parked: [{ table: 'plain', unpark: 'all', park: [] }] }));
    const { parked } = await parts().again();
    expect([parked.get('plain'), parked.get('pair')?.length]).toEqual([undefined, 1]);
    await parts().sink.forget(job);
    expect(await parts().sink.parked(job, 'pair', 0, 10)).toEqual([]);
  });
}
