import { expect, test } from 'vitest';
import { killAgainAndAgain } from '../testing/kills/rounds.ts';

// Forty over both stores; `KILL_ROUNDS=200 npm test -- --project console kills` is the long run, for each store.
const rounds = Number(process.env.KILL_ROUNDS ?? 20);
/** For a starved machine; a start takes a second on two idle cores. */
const roundMs = 60_000;

test.concurrent.each(['sqlite', 'postgres'] as const)(
  'answered calls survive a kill, and nothing happens twice, on %s',
  { timeout: rounds * roundMs },
  async (kind) => {
    const tallies = await killAgainAndAgain(kind, rounds);
    process.stdout.write(`\n${kind}, ${rounds} rounds of kill -9:\n`);
    for (const { kind: what, killed, ...figures } of tallies) {
      const said = Object.entries(figures).map(([name, figure]) => `${figure} ${name}`);
      process.stdout.write(`  ${what} (${killed}): ${said.join(', ')}\n`);
    }
    for (const { kind: what, rounds: ran, answered, found } of tallies) {
      expect(
        [ran, answered, found].every((figure) => figure > 0),
        `no round of ${what} was empty`,
      ).toBe(true);
    }
    const cutOff = tallies.reduce((sum, tally) => sum + tally['cut off'], 0);
    expect(cutOff, 'something was under way').toBeGreaterThan(0);
  },
);
