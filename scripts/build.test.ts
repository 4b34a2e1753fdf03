import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { list } from 'tar';
import { afterAll, beforeAll, expect, test } from 'vitest';

// A small checkout with the real bootstrap and build configuration; git's answers are made up.
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'millrace-build-'));
const plugins = ['default-export.ts', 'english-charts.ts', 'no-vike-client.ts', 'small-preload.ts'].map(
  (name) => `vite/${name}`,
);
const serverPlugin = 'vite/source-places.ts';

beforeAll(() => {
  const files = ['bootstrap', ...plugins, serverPlugin].map((name) => `scripts/${name}`);
  for (const file of [...files, 'vite.config.ts', 'vite.server.config.ts', 'tsconfig.json', 'package-lock.json'])
    cpSync(join(root, file), join(folder, file), { recursive: true });
  for (const name of ['pages', 'client/contract', 'server', 'public', 'dist', 'bin'])
    mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{"name":"millrace","version":"1.2.3"}');
  const git = `#!${process.execPath}
    console.log(process.argv[2] === 'rev-parse' ? 'false' : '\\0' + process.env.DAY + '\\n\\ncontent/docs/a.md');`;
  writeFileSync(join(folder, 'bin/git'), git, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

function bootstrap(code: string, day = ''): string {
  const source = `import { ensureBuilt, hashOfSources, pages, server } from './scripts/bootstrap/build.mjs'; ${code}`;
  const env = { PATH: join(folder, 'bin'), DAY: day };
  const options = { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync(process.execPath, ['--input-type=module', '-e', source], options);
}

const hash = (build: 'pages' | 'server') => bootstrap(`process.stdout.write(hashOfSources(${build}))`);

/** As if both had just been built. */
function stampBuilds(): void {
  for (const output of ['dist/server/entry.mjs', 'dist/programs/main.mjs'].map((path) => join(folder, path))) {
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, '');
  }
  writeFileSync(join(folder, 'dist/.sources'), hash('pages'));
  writeFileSync(join(folder, 'dist/.server-sources'), hash('server'));
}

/** The server's programs besides its main one. */
const programs = ['engine/main', 'engine/answer', 'content/compile-worker', 'jobs/practice/write-rows-process'];

function writeServerFile(name: string, text: string): void {
  mkdirSync(dirname(join(folder, 'server', name)), { recursive: true });
  writeFileSync(join(folder, 'server', name), text);
}

test.each([
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
  ...plugins.map((name) => `scripts/${name}`),
  'public/a.js',
])('another %s asks for another build of the pages', (file) => {
  const before = hash('pages');
  appendFileSync(join(folder, file), '\n');
  expect(hash('pages')).not.toBe(before);
});

test.each([
  'vite.server.config.ts',
  'tsconfig.json',
  'package-lock.json',
  `scripts/${serverPlugin}`,
  'server/a.ts',
  'client/contract/a.ts',
  // Another build of the pages, which the server's build contains.
  'dist/.sources',
])('another %s asks for another build of the server', (file) => {
  stampBuilds();
  const before = hash('server');
  appendFileSync(join(folder, file), '\n');
  expect(hash('server')).not.toBe(before);
});

test('the days of the last changes follow the history though nothing is built', () => {
  const updated = () => JSON.parse(readFileSync(join(folder, 'dist/last-updated.json'), 'utf8'));
  stampBuilds();
  expect(bootstrap('ensureBuilt()', '2024-01-02')).toBe('');
  expect(updated()).toEqual({ 'docs/a.md': '2024-01-02' });
  expect(bootstrap('ensureBuilt()', '2024-03-04')).toBe('');
  expect(updated()).toEqual({ 'docs/a.md': '2024-03-04' });
});

test("the context of the container's build has every input of the builds", () => {
  const inputs = bootstrap("process.stdout.write([...pages.inputs, ...server.inputs].join('\\n'))").split('\n');
  const needed = [
    ...inputs.filter((path) => !path.startsWith('dist/')),
    ...[
      'content',
      'scripts',
      'vite.config.ts',
      'vite.server.config.ts',
      'tsconfig.json',
      'package-lock.json',
      '.npmrc',
    ],
  ];
  const rules = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n');
  const missing = needed.filter((path) => !rules.includes(`!${path.split('/')[0]}`));
  expect(needed).toContain('public');
  expect(missing).toEqual([]);
});

test('a build whose output is gone is asked for again', () => {
  stampBuilds();
  rmSync(join(folder, 'dist/programs'), { recursive: true });
  // The small checkout has no server to build.
  expect(() => bootstrap('ensureBuilt()')).toThrow('The build failed');
  stampBuilds();
  expect(bootstrap('ensureBuilt()')).toBe('');
});

test('a build waits for the one that runs in the same folder, and not for one that was killed', async () => {
  const turn = join(folder, 'dist/.building');
  stampBuilds();
  writeServerFile('main.ts', 'console.log(1);');
  for (const name of programs) writeServerFile(`${name}.ts`, `console.log('${name}');`);
  const killed = spawn(process.execPath, ['--version']);
  await once(killed, 'exit');
  writeFileSync(turn, String(killed.pid));
  expect(bootstrap('ensureBuilt()')).toContain('Building the server');
  expect(existsSync(turn)).toBe(false);
  appendFileSync(join(folder, 'server/main.ts'), '\n');
  writeFileSync(turn, String(process.pid));
  const source = "import { ensureBuilt } from './scripts/bootstrap/build.mjs'; ensureBuilt();";
  const waiting = spawn(process.execPath, ['--input-type=module', '-e', source], { cwd: folder });
  const said = createInterface({ input: waiting.stdout })[Symbol.asyncIterator]();
  expect(await said.next()).toMatchObject({
    value: `› Waiting for the build of process ${process.pid} here; if there is none, delete dist/.building …`,
  });
  // It has nothing left to do once the other one is done.
  stampBuilds();
  rmSync(turn);
  expect(await said.next()).toMatchObject({ done: true });
});

test('content that cannot be compiled ends the build', () => {
  const checkout = mkdtempSync(join(folder, 'content-'));
  const needed = ['scripts/bootstrap', 'scripts/seed-content.ts', 'server', 'client/contract', 'content/brand'];
  for (const path of [...needed, 'package.json', 'package-lock.json'])
    cpSync(join(root, path), join(checkout, path), { recursive: true, filter: (name) => !/golden|testing/.test(name) });
  mkdirSync(join(checkout, 'content/docs'));
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'), 'junction');
  const source = "import { ensureSeeded } from './scripts/bootstrap/seed.mjs'; await ensureSeeded(true);";
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    cwd: checkout,
    encoding: 'utf8',
  });
  expect(stderr).toContain('The pages are not built');
  expect(stderr).toContain('The content could not be compiled');
  expect(status).toBe(1);
});

test('a running server loads its own files and starts its own programs after another build, and later builds remove them', async () => {
  for (const name of programs) writeServerFile(`${name}.ts`, `console.log('${name}');`);
  cpSync(join(root, 'server/program-path.ts'), join(folder, 'server/program-path.ts'));
  const main = `
    import { fork } from 'node:child_process';
    import { programPath } from './program-path.ts';
    process.stdin.once('data', async () => {
      console.log((await import('./later.ts')).build);
      fork(programPath('engine/main'));
    });
    console.log('runs');`;
  writeServerFile('main.ts', main);
  stampBuilds();
  let made = 0;
  const build = () => {
    made += 1;
    writeServerFile('later.ts', `export const build = 'build ${made}';`);
    writeServerFile('engine/main.ts', `console.log('job of build ${made}');`);
    bootstrap('ensureBuilt()');
  };
  const later = () => readdirSync(join(folder, 'dist/programs')).filter((name) => /^later-.*\.mjs$/.test(name));
  build();
  const [first = ''] = later();
  const server = spawn(process.execPath, [join(folder, 'dist/programs/main.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  expect(await said.next()).toMatchObject({ value: 'runs' });
  build();
  server.stdin.end('load\n');
  expect(await said.next()).toMatchObject({ value: 'build 1' });
  expect(await said.next()).toMatchObject({ value: 'job of build 1' });
  for (const name of [first, `${first}.map`]) utimesSync(join(folder, 'dist/programs', name), 0, 1);
  for (let turn = 0; turn < 3; turn += 1) build();
  expect(later()).not.toContain(first);
  expect(later()).toHaveLength(4);
});

test('the source of this version is packed, the same bytes for the same source, and nothing of the operator', () => {
  const archive = join(folder, 'dist/downloads/millrace-1.2.3-source-any.tar.gz');
  const packed = () => createHash('sha256').update(readFileSync(archive)).digest('hex');
  const names = () => {
    const found: string[] = [];
    list({ file: archive, sync: true, onReadEntry: ({ path }) => found.push(path) });
    return found;
  };
  stampBuilds();
  for (const name of ['passwords.txt', 'client/.env', 'client/npm.log']) writeFileSync(join(folder, name), 'secret');
  mkdirSync(join(folder, 'scripts/node_modules'));
  writeFileSync(join(folder, 'scripts/node_modules/a.js'), '');
  stampBuilds();
  bootstrap('ensureBuilt()');
  const first = packed();
  expect(names()).toContain('millrace-1.2.3/package.json');
  expect(names()).toContain('millrace-1.2.3/scripts/bootstrap/build.mjs');
  expect(names().filter((name) => /passwords|\.env|\.log|node_modules|dist/.test(name))).toEqual([]);
  utimesSync(join(folder, 'package.json'), 1, 1);
  bootstrap('ensureBuilt()');
  expect(packed()).toBe(first);
  appendFileSync(join(folder, 'package.json'), ' ');
  bootstrap('ensureBuilt()');
  expect(packed()).not.toBe(first);
});
