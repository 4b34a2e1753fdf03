import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

// `npm run bench` runs every measurement, `npm run bench -- start bytes` the named ones, each in its own process.
// Options starting with -- are passed on to them: `npm run bench -- engine --minutes=10`.
const measurements = [
  'start',
  'bytes',
  'console-page',
  'jobs-pages',
  'http',
  'log',
  'faults',
  'engine',
  'console',
  'lighthouse',
  'observatory',
];

const given = process.argv.slice(2);
const names = given.filter((name) => !name.startsWith('--'));
const options = given.filter((name) => name.startsWith('--'));
const unknown = names.filter((name) => !measurements.includes(name));
if (unknown.length > 0) {
  console.error(`There is no measurement '${unknown.join("', '")}': choose from ${measurements.join(', ')}.`);
  process.exit(2);
}
for (const name of names.length > 0 ? names : measurements) {
  console.log(`\n— ${name}`);
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...options], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) process.exitCode = 1;
}
