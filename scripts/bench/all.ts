import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

// `npm run bench` runs every measurement, `npm run bench -- start bytes` the named ones, each in a process of its own.
const measurements = [
  'start',
  'bytes',
  'console-page',
  'jobs-pages',
  'http',
  'log',
  'faults',
  'console',
  'lighthouse',
  'observatory',
];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !measurements.includes(name));
if (unknown.length > 0) {
  console.error(`There is no measurement '${unknown.join("', '")}': choose from ${measurements.join(', ')}.`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : measurements) {
  console.log(`\n— ${name}`);
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`)], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}
