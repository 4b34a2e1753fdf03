import { expect, test } from 'vitest';
import type { Action } from '../batch.ts';
import { type Key, UNCHANGED } from '../change.ts';
import { keyMark, type Reread } from '../mark.ts';
import { tableName } from '../table.ts';
import { ignoreMissing, inParts, type TestedSink } from './tested-sink.ts';

/** How rows of a copy or a resync are loaded, and what they replace. */
export function chunkContract(parts: () => TestedSink): void {
  test('a chunk replaces or keeps existing rows, and deletes those listed as absent', async () => {
    const { key, load, row, rows } = parts();
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

  test('texts of every kind are stored unchanged by a chunk and by a batch', async () => {
    const { batch, load, row, rows, sink, update } = parts();
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
    const { key, load, row, rows, target } = parts();
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
    const { key, load, row, rows, target } = parts();
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
    const { key, load, row, sink, target } = parts();
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
    const { load, row, rows, target } = parts();
    await load('plain', [row('k1', 'a', 'b', 'c1')]);
    await expect(load('plain', [row('k0', 'a', 'b', null), row('k2', 'a', 'b', 'c1')])).rejects.toMatchObject({
      code: 'UNIQUE_REFUSED',
      place: { table: tableName(target('plain')) },
    });
    expect((await rows('plain')).map(([id]) => id)).toEqual(['k1']);
  });

  test('rows holding a unique value of another incoming row are evicted, and the checkpoint records it', async () => {
    const { again, key, load, row, rows, target, update } = parts();
    await load('plain', [row('k1', 'a', 'b', 'c1'), row('k2', 'a', 'b', 'c2'), row('k3', 'a', 'b', 'c3')]);
    const reread: Reread = { table: 'plain', key: keyMark(key('k2')), transactions: ['9'] };
    const rows2 = [row('k1', 'a', 'b', 'c2'), row('k3', 'a', UNCHANGED, 'c3'), row('k4', 'a', UNCHANGED, 'c1')];
    const evicted = await parts().sink.evict(target('plain'), rows2, (keys) => {
      expect(keys).toHaveLength(2);
      return update({ rereads: [reread] });
    });
    expect(evicted.map((one) => one.join()).sort()).toEqual([...key('k1'), ...key('k2')].map(String));
    expect((await rows('plain')).map(([id]) => id)).toEqual(['k3']);
    expect((await again()).rereads).toEqual([reread]);
    expect(await parts().sink.evict(target('plain'), rows2, () => expect.unreachable())).toEqual([]);
  });

  test('a table is emptied and filled in one transaction', async () => {
    const { load, row, rows, sink, target, update } = parts();
    await load('plain', [row('k1', 'a', 'b', null)]);
    const filled = await sink.fill(
      target('plain'),
      inParts([row('k2', 'a', 'b', null)], [row('k3', 'a', 'b', null)]),
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
}
