import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** How many planted faults of a room the tests caught. */
export interface Score {
  /** Number of planted faults. */
  planted: number;
  noticed: number;
  /** How the planted faults were drawn from all; missing if all were planted. */
  sample?: { of: number; seed: number } | undefined;
}

const kept = z.array(
  z.object({
    room: z.string(),
    date: z.string(),
    commit: z.string(),
    planted: z.number(),
    noticed: z.number(),
    percent: z.number(),
    sample: z.object({ of: z.number(), seed: z.number() }).optional(),
  }),
);

const file = join(import.meta.dirname, 'results.json');

/** The faults in Stryker's report, by result. */
const report = z.object({
  files: z.record(z.string(), z.object({ mutants: z.array(z.object({ status: z.string() })) })),
});

/** Reads the results of a run from Stryker's JSON report. */
export function readScore(reportFile: string, seed: number | undefined): Score {
  const { files } = report.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const states = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted: string[]) => states.filter((state) => wanted.includes(state)).length;
  const noticed = count('Killed', 'Timeout');
  const planted = noticed + count('Survived', 'NoCoverage');
  const all = states.length - count('Ignored');
  return { planted, noticed, sample: seed === undefined ? undefined : { of: all, seed } };
}

/** Writes a room's score into results.json, replacing an earlier one. */
export function keepScore(room: string, { planted, noticed, sample }: Score): void {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const percent = Math.round((noticed / planted) * 1000) / 10;
  const date = new Date().toISOString().slice(0, 10);
  const before = existsSync(file) ? kept.parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
  const others = before.filter((one) => one.room !== room);
  const all = [...others, { room, date, commit, planted, noticed, percent, ...(sample && { sample }) }];
  all.sort((one, other) => one.room.localeCompare(other.room));
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  const drawn = sample ? `, a sample of ${sample.of}` : '';
  console.log(`› ${room}: ${noticed} of ${planted} faults caught (${percent} %)${drawn}.`);
}
