import type { Attack } from './faults/attack.ts';
import { toRow } from './faults/attack.ts';
import { leaks } from './faults/leaks.ts';
import { overload } from './faults/overload.ts';
import { protocol } from './faults/protocol.ts';
import { slowClients } from './faults/slow-clients.ts';
import { stops } from './faults/stops.ts';
import { printTable, record } from './record.ts';

// `npm run bench -- faults` repeats every attack and says what holds; `npx node scripts/bench/faults.ts leaks stops`
// repeats the named ones, and keeps nothing.
const attacks: readonly Attack[] = [leaks, overload, slowClients, protocol, stops];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !attacks.some((attack) => attack.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no attack '${unknown.join("', '")}': choose from ${attacks.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

const rows = [];
for (const { name, run } of attacks) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`› ${name} …`);
  rows.push(...(await run()).map((finding) => toRow(name, finding)));
}
if (names.length > 0) printTable(rows);
else await record('faults', rows);
if (rows.some(({ holds }) => holds === 'no')) process.exitCode = 1;
