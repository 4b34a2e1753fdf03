import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, inject, onTestFinished, test, vi } from 'vitest';
import { type MutingProxy, startMutingProxy } from '../../../testing/muting-proxy.ts';
import { patience } from '../../../testing/patience.ts';
import { openSourceDatabase, type SourceDatabase } from '../../../testing/postgres-source.ts';
import { Sessions } from './sessions.ts';

let db: SourceDatabase;
let proxy: MutingProxy;
let sessions: Sessions;

beforeEach(async () => {
  db = await openSourceDatabase(inject('postgresUrl'));
  proxy = await startMutingProxy(db.settings);
  const { signal } = db.abort;
  sessions = new Sessions({ ...db.settings, port: proxy.port }, { side: 'target', signal, statementTimeout: 0 });
});

afterEach(async () => {
  await db.close();
  await proxy.close();
});

type Timers = 'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval';

function fakeTimers(...toFake: Timers[]): void {
  vi.useFakeTimers({ toFake });
  onTestFinished(() => void vi.useRealTimers());
}

test.each([
  ['a statement without an answer', 'SELECT 1'],
  ['a statement in the middle of its rows', `SELECT repeat('v', 1000) FROM generate_series(1, 50000)`],
])('%s is abandoned within a minute if its server no longer answers anyone', async (_, statement) => {
  fakeTimers('setTimeout', 'clearTimeout', 'setInterval', 'clearInterval');
  await sessions.use((session) => session.query('SELECT 1'));
  let fault: unknown;
  let bytesRead = () => 0;
  const asked = sessions.use(async (session) => {
    const { stream } = session.connection;
    if (stream instanceof Socket) bytesRead = () => stream.bytesRead;
    if (statement === 'SELECT 1') proxy.mute();
    else stream.once('data', () => proxy.mute());
    await session.query(statement);
  });
  const given = asked.catch((error: unknown) => {
    fault = error;
  });
  let [heard, silentSeconds] = [0, 0];
  const faultLater = async () => {
    // What has been sent so far arrives at its own pace.
    silentSeconds = bytesRead() === heard ? silentSeconds + 1 : 0;
    heard = bytesRead();
    await vi.advanceTimersByTimeAsync(1_000);
    return fault;
  };
  await expect.poll(faultLater).toMatchObject({ code: 'CONNECTION_TIMED_OUT', place: { side: 'target' } });
  expect(silentSeconds).toBeLessThanOrEqual(60);
  await given;
});

test('a statement may take any length of time while its server answers others', async () => {
  fakeTimers('setInterval', 'clearInterval');
  await db.sql('SELECT pg_advisory_lock(1)');
  const asked = sessions.use((session) => session.query('SELECT pg_advisory_lock(1)'));
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()`;
  await expect.poll(() => db.sql(waiting)).not.toEqual([]);
  for (let questions = 0; questions < 4; questions++) {
    const before = proxy.opened();
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(20_000);
      expect(proxy.opened()).toBeGreaterThan(before);
    }, patience);
  }
  await db.sql('SELECT pg_advisory_unlock(1)');
  await asked;
});

test('an idle session sends no probes', async () => {
  fakeTimers('setInterval', 'clearInterval');
  await sessions.use((session) => session.query('SELECT 1'));
  await vi.advanceTimersByTimeAsync(600_000);
  await sessions.use((session) => session.query('SELECT 1'));
  expect(proxy.opened()).toBe(1);
});
