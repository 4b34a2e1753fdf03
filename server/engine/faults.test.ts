import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { faults } from '../testing/rig/faults.ts';
import { phases } from '../testing/rig/phases.ts';
import { Rig, type Tally } from '../testing/rig/rounds.ts';

// Each fault once in each phase; `PAIR_ROUNDS=200 npm test -- --project engine engine/faults` is the long run.
const rounds = Math.ceil(Number(process.env.PAIR_ROUNDS ?? 0) / faults.length);
const roundsOfFault = Math.max(rounds, phases.length);
/** Enough for a starved machine. */
const roundMs = 480_000;

const tallies: Tally[] = [];
let rig: Rig;

beforeAll(async () => {
  rig = await Rig.start(inject('postgresUrl'));
});

afterAll(async () => {
  await rig.stop();
  process.stdout.write(`\n${printed()}\n`);
});

/** Rounds by fault and phase. */
function printed(): string {
  const names = phases.map(({ name }) => name);
  const width = Math.max(...faults.map(({ name }) => name.length));
  const lines = tallies.map(({ fault, counted, inFlight, rate, ends, seconds }) => {
    const cells = names.map((name) => String(counted.get(name) ?? 0).padStart(name.length));
    const most = `${Math.min(...inFlight)} to ${Math.max(...inFlight)} transactions in flight`;
    const why = [...ends].map(([end, times]) => `${times} ${end}`).join(', ') || 'no end';
    return `${fault.padEnd(width)} | ${cells.join(' | ')} | ${Math.round(rate)} changes/s, ${most}, ${seconds.toFixed(1)} s: ${why}`;
  });
  return [`${' '.repeat(width)} | ${names.join(' | ')}`, ...lines].join('\n');
}

test.each(faults)(
  `the target equals the source after ${roundsOfFault} rounds of: $name`,
  { timeout: roundsOfFault * roundMs },
  async (fault) => {
    const tally = await rig.strike(fault, roundsOfFault);
    tallies.push(tally);
    for (const { name } of phases)
      expect(tally.counted.get(name) ?? 0, `${fault.name} while ${name}`).toBeGreaterThan(0);
  },
);
