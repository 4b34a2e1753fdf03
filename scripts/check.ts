import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

// `npm run check`: runs all steps at once and prints their reports in order, so that one run reports everything.
const root = resolve(import.meta.dirname, '..');
const inModules = (path: string) => resolve(root, 'node_modules', path);

const steps = [
  {
    name: 'format, lint and import directions (biome)',
    args: [inModules('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '--max-diagnostics=100', '.'],
  },
  { name: 'types (tsc)', args: [inModules('typescript/bin/tsc'), '--noEmit', '--pretty', 'false'] },
  { name: 'unused code and packages (knip)', args: [inModules('knip/bin/knip.js'), '--no-progress'] },
  { name: 'licences of the packages', args: [resolve(root, 'scripts/licences.ts')] },
];

interface Report {
  code: number;
  text: string;
  ms: number;
}

function run(args: readonly string[]): Promise<Report> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((done) => {
    const end = (code: number) =>
      done({ code, text: Buffer.concat(chunks).toString().trim(), ms: performance.now() - started });
    child.once('error', (error) => {
      chunks.push(Buffer.from(error.message));
      end(1);
    });
    child.once('close', (code) => end(code ?? 1));
  });
}

const reports = steps.map((step) => ({ ...step, report: run(step.args) }));
let failed = 0;
for (const { name, report } of reports) {
  const { code, text, ms } = await report;
  console.log(`${code === 0 ? '✓' : '✗'} ${name}, ${(ms / 1000).toFixed(1)} s`);
  if (code !== 0) {
    failed += 1;
    console.log(`${text}\n`);
  }
}
process.exitCode = failed > 0 ? 1 : 0;
