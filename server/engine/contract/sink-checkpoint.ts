import { expect, test } from 'vitest';
import type { Action } from '../batch.ts';
import type { Reread } from '../mark.ts';
import type { Load } from '../sink.ts';
import { tableName } from '../table.ts';
import { positionAt } from './model.ts';
import { ignoreMissing, inParts, job, mark, type TestedSink } from './tested-sink.ts';

/** What a sink stores beside the rows, and whose it is. */
export function checkpointContract(family: string, parts: () => TestedSink): void {
  const markTable = family === 'SQLite' ? 'millrace_mark' : 'millrace.millrace_mark';

  test('a checkpoint is read back as it was written, and its parts can be updated separately', async () => {
    const { again, update } = parts();
    const reread: Reread = { table: 'plain', key: ['a', { bytes: 'AP8=' }], transactions: ['12'] };
    await parts().sink.write(
      update({ incarnation: 'x.1', position: positionAt(4), slice: 3, unseen: ['7'], rereads: [reread] }),
    );
    await parts().sink.write(update({ tables: new Map([['plain', mark]]) }));
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
    await parts().sink.write(update({ tables: new Map([['plain', { ...mark, rows: 8 }]]), slice: 0, unseen: [] }));
    const later = await again();
    expect(later).toMatchObject({ epoch: 3, position: positionAt(4), slice: 0, unseen: [], rereads: [reread] });
    expect(later.tables.get('plain')?.rows).toBe(8);
  });

  test('a damaged checkpoint is reported as such', async () => {
    const { again, harness } = parts();
    await harness.run(`UPDATE ${markTable} SET unseen = '{'`);
    await expect(again()).rejects.toMatchObject({ code: 'MARK_DAMAGED' });
  });

  test('writes of an older process are refused, both rows and checkpoint', async () => {
    const { again, batch, openAnother, row, rows, sink, target, update } = parts();
    const other = openAnother();
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
    await expect(sink.fill(target('plain'), inParts([action.row]), update())).rejects.toMatchObject(refused);
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
      const { again, batch, load, openFailing, row, rows, sink, update } = parts();
      await load('plain', [row('k0', 'a', 'b', null)]);
      const failing = await openFailing(when);
      await sink.close();
      const upsert = batch('plain', { kind: 'upsert', row: row('k1', 'a', 'b', null) });
      await expect(failing.apply([upsert], update({ position: positionAt(5) }), ignoreMissing)).rejects.toMatchObject({
        name: 'EngineError',
      });
      await failing.close();
      const found = await again();
      const isThere = when === 'after';
      expect(found.position).toEqual(isThere ? positionAt(5) : null);
      expect((await rows('plain')).map(([id]) => id)).toEqual(isThere ? ['k0', 'k1'] : ['k0']);
    },
  );

  test('rows and checkpoint are stored together: a refused row leaves neither', async () => {
    const { again, batch, load, row, rows, sink, target, update } = parts();
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

  test('a table belongs to the job that writes to it until that job is forgotten or leaves it out', async () => {
    const { harness, sink, target } = parts();
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
    const { again, harness } = parts();
    await harness.run(`DROP TABLE ${markTable.replace('_mark', '_target')}`);
    expect(await parts().sink.parked(job, 'plain', 0, 10)).toEqual([]);
    expect((await again()).epoch).toBe(2);
    await harness.run(`DROP TABLE ${markTable.replace('_mark', '_target')}`);
    await parts().sink.forget(job);
    expect(await harness.leftovers()).toEqual([]);
  });

  test('forgetting jobs leaves nothing behind, and can be repeated', async () => {
    const { harness, sink } = parts();
    await sink.takeOver('canal0123456789c');
    await sink.forget(job);
    expect(await harness.leftovers()).not.toEqual([]);
    await sink.forget('canal0123456789c');
    expect(await harness.leftovers()).toEqual([]);
    await sink.forget(job);
    expect((await sink.takeOver(job)).epoch).toBe(1);
  });
}
