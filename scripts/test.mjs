import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt, programsFolder } from './bootstrap/build.mjs';
import { chosenProjects } from './bootstrap/chosen-projects.mjs';
import { read } from './bootstrap/files.mjs';
import { ensureInstalled } from './bootstrap/install.mjs';
import { needChromiums } from './bootstrap/need-chromium.mjs';
import { needPostgres } from './bootstrap/need-postgres.mjs';
import { runNode } from './bootstrap/node.mjs';
import { inRoot } from './bootstrap/root.mjs';
import { giveUp, say } from './bootstrap/say.mjs';
import { ensureSeeded } from './bootstrap/seed.mjs';
import { makeTemporaryFolder } from './bootstrap/temporary-folder.mjs';
import { closingLines } from './bootstrap/test-result.mjs';

// `npm test [-- vitest's arguments]`: runs every project of vitest.config.ts; filters are passed to vitest unchanged.
const given = process.argv.slice(2);
const isRun = chosenProjects(given);
const browserIsUsed = isRun('site', 'console');
const postgresIsUsed = isRun('console', 'engine', 'engine-18');

ensureInstalled();
const browsers = browserIsUsed ? needChromiums() : undefined;
const postgres = postgresIsUsed ? needPostgres() : undefined;
ensureBuilt();
await ensureSeeded();

const folder = makeTemporaryFolder();
const resultFile = join(folder, 'result.json');
say(browsers ? `Testing, browser tests in ${browsers.any} …` : 'Testing without the browser tests …');
const { code, signal } = await runNode(
  [
    inRoot('node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    `--reporter=${inRoot('scripts/bootstrap/failure-reporter.mjs')}`,
    '--reporter=json',
    `--outputFile.json=${resultFile}`,
    ...given,
  ],
  {
    STRICT_CONTENT: '1',
    TESTED_PROGRAMS: programsFolder,
    NODE_ENV: 'test',
    CHROMIUM_PATH: browsers?.any ?? '',
    FULL_CHROMIUM_PATH: browsers?.full ?? '',
    POSTGRES_BIN: postgres ?? '',
    TMPDIR: folder,
  },
);
const result = read(resultFile);
rmSync(folder, { recursive: true, force: true });
if (!result) giveUp(`vitest ended without a result${signal ? ` (${signal})` : ': its message is above'}.`);
const { passed, failed, lines } = closingLines(JSON.parse(result));
if (code !== 0 && failed === 0 && passed > 0)
  say('Every test passed, but vitest reports an error outside the tests: see above.');
console.log(`\n${lines}`);
process.exit(code ?? 1);
