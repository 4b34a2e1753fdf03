import { expect, inject, test } from 'vitest';
import { openSourceDatabase } from '../../../testing/postgres-source.ts';
import { Snapshot, widen } from './snapshot.ts';

test('a snapshot sees the same transactions as the server', async () => {
  const db = await openSourceDatabase(inject('postgresUrl'));
  try {
    const [[xmin] = []] = await db.sql('SELECT pg_snapshot_xmax(pg_current_snapshot())');
    const first = BigInt(xmin ?? 0);
    const texts = [[], [0], [0, 3, 4], [1, 2, 7]].map((running) => {
      const numbers = running.map((one) => first + BigInt(one));
      return `${numbers[0] ?? first + 9n}:${first + 9n}:${numbers.join(',')}`;
    });
    const [[current] = []] = await db.sql('SELECT pg_current_snapshot()::text');
    for (const text of [...texts, current ?? '']) {
      const snapshot = new Snapshot(text);
      for (let xid = first - 3n; xid < first + 12n; xid++) {
        const [[visible] = []] = await db.sql('SELECT pg_visible_in_snapshot($1::text::xid8, $2::pg_snapshot)', [
          xid,
          text,
        ]);
        expect([text, xid, snapshot.sees(String(xid))]).toEqual([text, xid, visible === 't']);
      }
    }
  } finally {
    await db.close();
  }
});

test('a 32-bit transaction ID becomes the nearest 64-bit one', () => {
  const epoch = 2n ** 32n;
  expect(widen(100, 3n * epoch + 90n)).toBe(3n * epoch + 100n);
  expect(widen(100, 3n * epoch + 110n)).toBe(3n * epoch + 100n);
  expect(widen(4_294_967_295, 3n * epoch + 5n)).toBe(3n * epoch - 1n);
  expect(widen(3, 3n * epoch - 2n)).toBe(3n * epoch + 3n);
  expect(widen(4_294_967_295, 5n)).toBe(4_294_967_295n);
});
