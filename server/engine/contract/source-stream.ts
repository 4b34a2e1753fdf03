import { expect, test } from 'vitest';
import { hasReached, type Position } from '../position.ts';
import { Random } from './random.ts';
import { Copy } from './streamed-copy.ts';
import { commits, job, readUntil, type TestedSource } from './tested-source.ts';
import { Users } from './users.ts';

const kinds = [
  'insert',
  'update',
  'delete',
  'key change',
  'unique value handed over',
  'savepoint',
  'truncate',
  'rollback',
  'large transaction',
];

/** What the stream delivers, from where, and until when. */
export function streamContract(parts: () => TestedSource): void {
  test.each([1, 2, 3])('a copy resumed from an earlier commit matches the source (seed %i)', async (seed) => {
    const { expectSame, follow, harness, source, tables } = parts();
    const counts = new Map<string, number>();
    const users = new Users(new Random(seed), harness.truncate, (kind) =>
      counts.set(kind, (counts.get(kind) ?? 0) + 1),
    );
    const told = await writeAndFollow(parts(), users, await source.reserve(job, tables));
    for (const kind of kinds) expect(counts.get(kind), kind).toBeGreaterThan(0);
    expect(told.length).toBeGreaterThan(20);
    for (const { position, copy } of told.filter((_, index) => index % 5 === 0)) {
      for (const transaction of await follow(position)) copy.replay(transaction);
      await expectSame(copy);
    }
  });

  test('positions sort in commit order', async () => {
    const { follow, harness, source, tables } = parts();
    const start = await source.reserve(job, tables);
    await harness.write(["INSERT INTO plain (id, a) VALUES (1, 'x')"], 'COMMIT');
    const [first] = commits(await follow(start));
    await harness.write(["INSERT INTO plain (id, a) VALUES (2, 'y')"], 'COMMIT');
    const later = commits(await follow(start)).at(-1);
    expect(first && later && later.order > first.order && first.order > start.order).toBe(true);
    expect(hasReached(await source.now(), later ?? start)).toBe(true);
  });

  test('acknowledged changes are no longer needed, and reserving again starts from there', async () => {
    const { follow, harness, source, tables } = parts();
    const start = await source.reserve(job, tables);
    await harness.write(["INSERT INTO plain (id, a) VALUES (1, 'x')"], 'COMMIT');
    await harness.write(["INSERT INTO plain (id, a) VALUES (2, 'y')"], 'COMMIT');
    let position = start;
    do {
      const stream = await source.stream(job, start, tables);
      position = commits(await readUntil(stream, await source.now())).at(-1) ?? start;
      stream.acknowledge(position);
      await stream.close();
      // A source that is slow to end a stream is abandoned, perhaps before it has taken in the last acknowledgement.
    } while ((await source.reserve(job, tables)).order === start.order);
    await harness.write(["INSERT INTO plain (id, a) VALUES (3, 'z')"], 'COMMIT');
    const again = await source.reserve(job, tables);
    // A source may deliver the newest change once more.
    expect(again.order > start.order && again.order <= position.order).toBe(true);
    const changes = (await follow(position)).flat().filter((change) => change.kind === 'row');
    expect(changes).toHaveLength(1);
    expect((await follow(again)).flat()).toContainEqual(changes[0]);
  });

  test('a table that is included later is streamed with the others, from the same position', async () => {
    const { follow, harness, source, tables } = parts();
    const plain = tables.filter(({ name }) => name === 'plain');
    const pair = tables.filter(({ name }) => name === 'pair');
    await expect(source.include(job, pair)).rejects.toMatchObject({ code: 'SLOT_MISSING' });
    expect(await harness.leftovers(job)).toEqual([]);
    const start = await source.reserve(job, plain);
    await source.include(job, pair);
    await source.include(job, pair);
    const statements = ["INSERT INTO plain (id, a) VALUES (1, 'x')", "INSERT INTO pair (k1, k2) VALUES ('k', 1)"];
    await harness.write(statements, 'COMMIT');
    const rows = (await follow(start)).flat().filter((change) => change.kind === 'row');
    expect(rows.map(({ table }) => table.name)).toEqual(['plain', 'pair']);
  });

  test('an idle stream reports that it is alive, and ends with its job', async () => {
    const { end, reopen, source, tables } = parts();
    const start = await source.reserve(job, tables);
    const stream = await source.stream(job, start, tables);
    const iterator = stream[Symbol.asyncIterator]();
    const first = await iterator.next();
    expect(first.done).not.toBe(true);
    const waiting = untilEnd(iterator);
    end();
    await waiting;
    reopen();
  });
}

/** Users write while the stream is read. @returns what the stream had delivered at each of its commits */
async function writeAndFollow(
  tested: TestedSource,
  users: Users,
  start: Position,
): Promise<{ position: Position; copy: Copy }[]> {
  const { expectSame, harness, source, tables } = tested;
  const stream = await source.stream(job, start, tables);
  const iterator = stream[Symbol.asyncIterator]();
  const told = [{ position: start, copy: new Copy() }];
  const copy = new Copy();
  for (let round = 0; round < 40; round++) {
    for (const { statements, end } of [users.next(), users.next(), users.next()]) {
      await harness.write(statements, end);
    }
    const transactions = await readUntil({ [Symbol.asyncIterator]: () => iterator }, await source.now());
    for (const transaction of transactions) {
      copy.replay(transaction);
      told.push(...commits([transaction]).map((position) => ({ position, copy: copy.clone() })));
    }
    await expectSame(copy);
  }
  await stream.close();
  return told;
}

async function untilEnd(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    while (!(await iterator.next()).done);
  } catch {
    // A source may end with the signal's error; what counts is that it ends.
  }
}
