import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { faults } from '../testing/rig/faults.ts';
import { KeptJob } from '../testing/rig/kept-job.ts';
import { Pair, type Servers } from '../testing/rig/pair.ts';
import { phases } from '../testing/rig/phases.ts';
import { startServers, strikeJob } from '../testing/rig/rounds.ts';
import { Random } from './contract/random.ts';

/** Enough for a starved machine, for sixteen rounds. */
const patience = { timeout: 1_800_000 };

let servers: Servers;
let pair: Pair;
let job: KeptJob;

async function open(settings: Parameters<typeof startServers>[0] = {}, options = ''): Promise<void> {
  servers = await startServers(settings);
  pair = await Pair.open(servers, new Random(11), options);
  job = new KeptJob(pair);
}

afterEach(async () => {
  await job.close();
  await pair.close();
  await Promise.all([servers.source.stop(), servers.target.stop()]);
});

test('a source in fast shutdown is released although the target does not answer', patience, async () => {
  await open();
  const users = pair.write();
  await job.start();
  await pair.untilLive();
  // The job has nothing more to ask the source.
  const keys = `SELECT count(*) FROM pg_constraint WHERE contype = 'f'`;
  await pair.until(async () => (await pair.target.ask(keys))[0]?.[0] === '1');
  await pair.untilCaughtUp();
  // From here on the target hangs on a COMMIT that never arrives.
  await pair.whileGoing(pair.network.hold((seen) => seen.kind === 'commit' && seen.transaction.hasRows));
  await users.stop();
  job.holdBack();
  // It has 20 s; otherwise it would wait forever.
  const late = wait(240_000, undefined, { ref: false }).then(() => 'after 240 s');
  expect(await Promise.race([servers.source.stop().then(() => 'in time'), late])).toBe('in time');
});

test('a target whose role commits asynchronously loses nothing on kill -9', patience, async () => {
  // Only the commit itself flushes a transaction's log.
  await open({ target: { wal_writer_delay: '10s', wal_writer_flush_after: '1GB' } });
  await pair.target.ask('ALTER ROLE postgres SET synchronous_commit = off');
  const confirmed = `SELECT confirmed_flush_lsn::text FROM pg_replication_slots WHERE database = current_database()`;
  pair.write();
  await job.start();
  for (let round = 0; round < 3; round++) {
    await pair.untilLive();
    const held = await pair.whileGoing(pair.network.hold((seen) => seen.kind === 'acknowledgement'));
    const [[before] = []] = await pair.source.ask(confirmed);
    held.release('pass');
    while ((await pair.source.ask(confirmed))[0]?.[0] === before);
    // The source has discarded what the target confirmed.
    job.holdBack();
    await servers.target.killAndRestart();
    job.goOn();
    await pair.untilCaughtUp();
  }
  const { source, target } = await pair.hashes();
  expect(target).toEqual(source);
});

test('commits that are in the log before they are visible are carried unchanged', patience, async () => {
  const settings = { source: { synchronous_standby_names: 'nobody' } };
  await open(settings, '?options=-c%20synchronous_commit%3Dlocal');
  let isOver = false;
  let cancelled = 0;
  const seeing = (async () => {
    // The target has commits that no one sees yet; then one of the waiting sessions stops waiting for the standby.
    while (!isOver) {
      await Promise.race([pair.network.nextCommit(), wait(100)]);
      const given = await pair.source.ask(`SELECT pg_cancel_backend(pid) FROM
        (SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' ORDER BY random() LIMIT 1) AS one`);
      cancelled += given.length;
    }
  })();
  try {
    const killed = faults.filter(({ name }) => name === 'kill -9 of the job');
    for (const fault of killed) {
      const { counted } = await strikeJob(fault, phases, 2 * phases.length, { pair, runner: job, servers });
      expect(counted.size).toBe(phases.length);
    }
  } finally {
    await pair.stopUsers();
    isOver = true;
    await seeing;
  }
  expect(cancelled).toBeGreaterThan(0);
});
