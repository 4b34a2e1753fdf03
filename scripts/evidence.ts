import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { evidenceSchema } from '../server/content/data/evidence.ts';
import { codeHash } from './evidence/code-hash.ts';
import { collect } from './evidence/collect.ts';

// `npm run evidence`: runs the contract suites, the pairs and the documents' SQL, and writes what they prove to
// content/evidence.json. If one of them fails, nothing is written.
const root = resolve(import.meta.dirname, '..');
const target = join(root, 'content/evidence.json');
const suites = [
  'server/engine/systems/postgresql/source.test.ts',
  'server/engine/systems/postgresql/sink.test.ts',
  'server/engine/systems/sqlite/source.test.ts',
  'server/engine/systems/sqlite/sink.test.ts',
  'server/engine/pairs.test.ts',
  'scripts/evidence/statements.test.ts',
];

function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    // A source archive has no history, but still the hash of the code.
    return null;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
try {
  const code = codeHash();
  const results = join(folder, 'results.json');
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...['--project', 'engine', '--project', 'engine-18', '--reporter=default', '--reporter=json'],
      `--outputFile.json=${results}`,
      ...suites,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'test' } },
  );
  if (status === null) throw new Error('The tests were killed.');
  const proved = collect(JSON.parse(readFileSync(results, 'utf8')));
  if (codeHash() !== code) throw new Error('server/engine changed while its tests ran: run this again.');
  const made = new Date().toISOString().slice(0, 10);
  const evidence = evidenceSchema.parse({ made, commit: commit(), code, ...proved });
  writeFileSync(target, `${JSON.stringify(evidence, null, 2)}\n`);
  console.log(`Written: ${target} (${proved.tests} tests, ${proved.pairs.length} pairs)`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
