import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { PairJob, pairSpec } from '../../../testing/pair-job.ts';
import { newJob, openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import type { Change } from '../../change.ts';
import type { Position } from '../../position.ts';
import type { ChangeStream } from '../../source.ts';

/** A transaction that is applied in slices, and processes that stop in the middle of it. */

let source: SourceDatabase;
let target: SourceDatabase;
let running: PairJob | undefined;
let id: string;

/** Cells of this size are stored apart from their rows, so the log of a key update does not contain them. */
const structure = `
  CREATE TABLE public.note (id int PRIMARY KEY, body text);
  ALTER TABLE public.note ALTER COLUMN body SET STORAGE EXTERNAL`;
const body = (name: string) => `rpad('${name}', 5000, 'x')`;
/** The size of the first messages of the transaction below. */
const firstSlice = { messages: 4, bytes: 15_000 };
const last = 40;

beforeEach(async () => {
  const server = inject('postgresUrl');
  [source, target] = [await openSourceDatabase(server), await openSourceDatabase(server)];
  id = newJob();
  for (const db of [source, target]) await db.sql(structure);
  await source.sql(`INSERT INTO public.note VALUES (1, ${body('old')})`);
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  await Promise.all([source.close(), target.close()]);
});

const never = new Promise<never>(() => undefined);

/** The source database, with a stream transformed by `tell`. */
function telling(
  tell: (stream: ChangeStream, from: Position) => AsyncGenerator<readonly Change[]>,
  acknowledged: () => void = () => undefined,
): SourceDatabase {
  return {
    ...source,
    open(settings) {
      const opened = source.open(settings);
      const open = opened.stream.bind(opened);
      return Object.assign(opened, {
        stream: async (...args: Parameters<typeof open>): Promise<ChangeStream> => {
          const stream = await open(...args);
          return {
            [Symbol.asyncIterator]: () => tell(stream, args[1]),
            acknowledge(position) {
              stream.acknowledge(position);
              acknowledged();
            },
            close: () => stream.close(),
          };
        },
      });
    },
  };
}

/** Passes the stream on up to the end of the first slice of the transaction that changes a key. */
async function* firstSliceOf(stream: ChangeStream): AsyncGenerator<readonly Change[]> {
  let told = 0;
  for await (const changes of stream) {
    const isBeyond = (change: Change) => {
      if (change.kind === 'row' && (told > 0 || change.before)) told++;
      return told > firstSlice.messages;
    };
    const end = changes.findIndex(isBeyond);
    yield end === -1 ? changes : changes.slice(0, end);
    if (end !== -1) await never;
  }
}

/** Reports only that everything up to here was sent, as a server does while reading a long transaction. */
async function* nothingButAlive(_stream: ChangeStream, position: Position): AsyncGenerator<readonly Change[]> {
  yield [{ kind: 'alive', position }];
  await never;
}

const limits = { limits: { sliceBytes: firstSlice.bytes } };
const notes = (db: SourceDatabase) => db.sql('SELECT id, left(body, 3), length(body) FROM public.note ORDER BY id');

test('a process that ends before the rest of a slice arrives leaves the slice unchanged', async () => {
  const spec = pairSpec(id, ['note']);
  running = await PairJob.start(telling(firstSliceOf), target, spec, limits);
  await running.untilState('public.note', 'live');
  await source.sql(`BEGIN;
    UPDATE public.note SET id = 2 WHERE id = 1;
    INSERT INTO public.note VALUES (1, ${body('new')});
    INSERT INTO public.note SELECT i, ${body('row')} FROM generate_series(3, ${last}) AS i;
    COMMIT`);
  const first = running;
  await first.until(() => first.job.slice === firstSlice.messages);
  await first.stop();

  const told = Promise.withResolvers<void>();
  running = await PairJob.start(telling(nothingButAlive, told.resolve), target, spec, limits);
  await told.promise;
  await running.stop();

  running = await PairJob.start(source, target, spec, limits);
  await running.until(async () => (await target.sql(`SELECT FROM public.note WHERE id = ${last}`)).length > 0);
  expect(await notes(target)).toEqual(await notes(source));
});

/**
 * Passes these transactions on in arrays that each end within the next transaction, and the last one without its end.
 */
async function* cutWithin(stream: ChangeStream, transactions: number): AsyncGenerator<readonly Change[]> {
  const all: Change[] = [];
  for await (const changes of stream) {
    all.push(...changes.filter(({ kind }) => kind !== 'alive'));
    if (all.filter(({ kind }) => kind === 'commit').length === transactions) break;
  }
  let some: Change[] = [];
  for (const change of all.slice(0, -1)) {
    some.push(change);
    if (change.kind !== 'row') continue;
    yield some;
    some = [];
  }
  await never;
}

test('a table goes live, and the source can discard log, although transactions never pause', async () => {
  let acknowledged = 0;
  const busy = telling(
    (stream) => cutWithin(stream, 5),
    () => acknowledged++,
  );
  running = await PairJob.start(busy, target, pairSpec(id, ['note']), { limits: { sliceBytes: 1 } });
  await running.untilState('public.note', 'catching-up');
  for (let n = 2; n <= 6; n++) await source.sql(`INSERT INTO public.note VALUES (${n}, 'a'), (${-n}, 'b')`);
  await running.until(async () => (await target.sql('SELECT FROM public.note WHERE id = -6')).length > 0);
  expect([running.state('public.note'), acknowledged > 0]).toEqual(['live', true]);
});
