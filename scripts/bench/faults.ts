import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Attack } from './faults/attack.ts';
import { toRow } from './faults/attack.ts';
import { leaks } from './faults/leaks.ts';
import { manyJobs } from './faults/many-jobs.ts';
import { overload } from './faults/overload.ts';
import { protocol } from './faults/protocol.ts';
import { slowClients } from './faults/slow-clients.ts';
import { stops } from './faults/stops.ts';
import { type Row, record } from './record.ts';

// `npm run bench -- faults` repeats every attack and reports what holds; `npx node scripts/bench/faults.ts leaks stops`
// repeats the named ones, and keeps the recorded results of the others.
const attacks: readonly Attack[] = [leaks, overload, slowClients, manyJobs, protocol, stops];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !attacks.some((attack) => attack.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no attack '${unknown.join("', '")}': choose from ${attacks.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const kept = z.object({ rows: z.array(z.record(z.string(), z.union([z.string(), z.number()]))) });
const file = join(import.meta.dirname, 'results/faults.json');
const before: Row[] = existsSync(file) ? kept.parse(JSON.parse(readFileSync(file, 'utf8'))).rows : [];

const rows: Row[] = [];
let held = true;
for (const { name, run } of attacks) {
  if (names.length > 0 && !names.includes(name)) {
    rows.push(...before.filter(({ attack }) => attack === name));
    continue;
  }
  console.log(`› ${name} …`);
  const findings = await run();
  held &&= findings.every(({ holds }) => holds);
  rows.push(...findings.map((finding) => toRow(name, finding)));
}
await record('faults', rows);
if (!held) process.exitCode = 1;
