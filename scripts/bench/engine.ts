import { parseArgs } from 'node:util';
import { copy } from './engine/copy.ts';
import { drain } from './engine/drain.ts';
import { type Figure, toRow } from './engine/figure.ts';
import { latency } from './engine/latency.ts';
import { memory } from './engine/memory.ts';
import { clusterSettings, type Pair, startPair } from './engine/pair.ts';
import { restart } from './engine/restart.ts';
import { printTable, record } from './record.ts';

// `npm run bench -- engine` measures the engine from PostgreSQL to PostgreSQL, each figure beside its reference from
// the same run. `--minutes=10` lengthens the latency run, `--postgres=18` uses that version on both sides,
// `--only=copy,drain` measures only these and records nothing, `--turns=1` repeats less.
const { values: options } = parseArgs({
  options: {
    postgres: { type: 'string', default: '15' },
    minutes: { type: 'string', default: '1' },
    turns: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const { postgres } = options;
if (postgres !== '15' && postgres !== '18') throw new Error(`PostgreSQL ${postgres} is not measured: choose 15 or 18.`);
const seconds = Math.round(Number(options.minutes) * 60);
if (!(seconds >= 10)) throw new Error(`${options.minutes} minutes are too few for the latency: choose 0.2 or more.`);

const turns = Number(options.turns);

const measurements: Record<string, (pair: Pair) => Promise<Figure[]>> = {
  copy: (pair) => copy(pair, { rows: 2_000_000, turns }),
  drain: (pair) => drain(pair, { transactions: 30_000, turns }),
  latency: (pair) => latency(pair, { seconds }),
  restart: (pair) => restart(pair, { turns: turns + 2 }),
  memory,
};
const wanted = options.only?.split(',') ?? Object.keys(measurements);
const unknown = wanted.filter((name) => !measurements[name]);
if (unknown.length > 0)
  throw new Error(`There is no '${unknown.join("', '")}': choose from ${Object.keys(measurements).join(', ')}.`);

const pair = await startPair(postgres);
// An interrupted run leaves no cluster behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void pair.stop().finally(() => process.exit(1)));
try {
  const rows = [];
  for (const name of wanted) {
    console.log(`› ${name} …`);
    const measured = ((await measurements[name]?.(pair)) ?? []).map(toRow);
    printTable(measured);
    rows.push(...measured);
  }
  const settings = Object.entries(clusterSettings).map(([name, value]) => `${name}=${value}`);
  const versions = { postgresql: pair.version, settings: ['fsync=on', ...settings].join(' ') };
  if (!options.only) await record('engine', rows, versions);
} finally {
  await pair.stop();
}
