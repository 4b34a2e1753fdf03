import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { z } from 'zod';
import { type Kind, kinds, type Round } from './kinds.ts';
import { openScene, type Scene } from './scene.ts';

/** What happened in the rounds of one kind. */
export interface Tally {
  kind: string;
  killed: string;
  rounds: number;
  /** Things that a client got an answer to, or saw, before the kill … */
  answered: number;
  /** … and found after it. */
  found: number;
  /** Requests in progress at the kill. */
  'cut off': number;
}

const clients = 6;
const mostAnswers = 12;
const count = z.object({ n: z.number() });
const numberRow = z.object({ number: z.string() });
const accountRow = z.object({ uid: z.string(), credits: z.number(), spent: z.number() });

/**
 * Kills a backend repeatedly while clients use it: every fourth time the store too, if it is a separate server. Fails
 * when anything that was answered is lost, or anything exists twice.
 * @param rounds one of each kind in turn
 */
export async function killAgainAndAgain(kind: 'sqlite' | 'postgres', rounds: number): Promise<Tally[]> {
  const scene = await openScene(kind);
  const tallies = new Map<string, Tally>();
  try {
    for (let round = 0; round < rounds; round += 1) {
      const what = kinds[round % kinds.length];
      if (!what) throw new Error('There are no round kinds.');
      // A different kind in each turn.
      const storeToo = scene.postgres !== undefined && (round + Math.floor(round / kinds.length)) % kinds.length === 0;
      const killed = storeToo ? 'server and store' : 'server';
      const key = `${what.name}, ${killed}`;
      const tally = tallies.get(key) ?? { kind: what.name, killed, rounds: 0, answered: 0, found: 0, 'cut off': 0 };
      tallies.set(key, tally);
      await killOnce(scene, what, tally, storeToo);
    }
    await nothingTwice(scene);
    return [...tallies.values()];
  } finally {
    await scene.close();
  }
}

async function killOnce(scene: Scene, kind: Kind, tally: Tally, storeToo: boolean): Promise<void> {
  const checks: (() => Promise<void>)[] = [];
  let left = randomInt(1, mostAnswers);
  let killing: Promise<unknown> | undefined;
  const round: Round = {
    answered() {
      tally.answered += 1;
      left -= 1;
      // Immediately, while the others have requests in progress.
      if (left <= 0) round.kill();
      return left <= 0;
    },
    kill() {
      left = 0;
      killing ??= Promise.all([scene.backend.kill(), storeToo && scene.postgres?.killAndRestart()]);
    },
    cutOff: () => {
      tally['cut off'] += 1;
    },
    found: () => {
      tally.found += 1;
    },
    later: (check) => checks.push(check),
  };
  const run = async () => {
    try {
      while (await kind.step(scene, round));
    } catch (error) {
      // The store is also gone for the clients' own preparations.
      if (!(storeToo && left <= 0)) throw error;
    }
  };
  await Promise.all(Array.from({ length: kind.name === 'bills' ? 1 : clients }, run));
  // Clients also end when the store is silent.
  round.kill();
  await killing;
  await scene.restart();
  // As five minutes later: no one else has the killed backend's tasks.
  await scene.database.run('UPDATE task SET taken_until = 0');
  // An hour later: all clients share one address, and codes per address are limited.
  await scene.database.run("DELETE FROM attempt WHERE key LIKE 'code-address:%'");
  for (const check of checks) await check();
  tally.rounds += 1;
}

/** Over all rounds: one licence and one invoice per payment, numbers without gaps, credits spent once. */
async function nothingTwice({ database }: Scene): Promise<void> {
  const none = async (sql: string) =>
    expect((await database.one(count, `SELECT count(*) AS n FROM (${sql}) wrong`))?.n, sql).toBe(0);
  await none('SELECT quote_id FROM licence_order GROUP BY quote_id HAVING count(*) > 1');
  await none(`SELECT id FROM licence_order WHERE (status = 'ISSUED') <> (id IN (SELECT order_id FROM licence))`);
  await none(`SELECT id FROM licence_order WHERE status = 'PAID'`);
  const numbers = await database.all(numberRow, 'SELECT number FROM invoice ORDER BY number');
  expect(numbers.map(({ number }) => Number(number.slice(5)))).toEqual(numbers.map((_, at) => at + 1));
  const accounts = await database.all(
    accountRow,
    `SELECT account.uid, account.credits, CAST(sum(licence_order.credits) AS BIGINT) AS spent
     FROM account JOIN licence_order ON licence_order.uid = account.uid GROUP BY account.uid, account.credits`,
  );
  expect(accounts.length).toBeGreaterThan(0);
  expect(accounts.filter(({ credits, spent }) => credits + spent !== 500)).toEqual([]);
}
