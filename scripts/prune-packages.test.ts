import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { untilSearchable } from '../server/testing/until-searchable.ts';

// The container without Docker: its pruned packages and the files that its Dockerfile copies, as built by `npm test`.
const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'millrace-pruned-'));
let server: ChildProcess | undefined;

afterAll(async () => {
  await end();
  rmSync(folder, { recursive: true });
});

async function end(): Promise<void> {
  if (!server || server.exitCode !== null) return;
  const gone = once(server, 'exit');
  server.kill('SIGKILL');
  await gone;
}

const lockSchema = z.object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) });

/** What `npm ci --omit=dev` installs here, by path below the root. */
function productionPackages(): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)))
    .map(([path]) => path);
}

/** Links a package's own files into the folder; pruning removes only these links. */
function linkPackage(path: string): void {
  mkdirSync(join(folder, path), { recursive: true });
  for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
    const inner = join(path, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') linkPackage(inner);
    if (entry.isFile()) link(join(root, inner), join(folder, inner));
  }
}

/** Hard link; a copy if the target is on another file system. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Sources of the last stage of the Dockerfile, besides the packages. */
function copiedFiles(): string[] {
  const stage =
    readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? '';
  return [...stage.matchAll(/^COPY (?:--from=build \/site\/)?(?!--)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );
}

/** Starts the server on this content and returns its address. */
async function start(contentDir: string): Promise<string> {
  const env = {
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    CONSOLE_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    CONTENT_DIR: contentDir,
  };
  server = spawn(process.execPath, ['dist/programs/main.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  server.stderr?.on('data', (chunk) => said.push(String(chunk)));
  if (!server.stdout) throw new Error('The server has no output.');
  for await (const line of createInterface(server.stdout)) {
    said.push(line);
    const address = /"address":"([^"]+)".*"listening"/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error(`The server ended before it listened:\n${said.join('\n')}`);
}

test('the pruned packages and the copied files of the container serve pages and pictures', async () => {
  const packages = productionPackages();
  for (const path of packages) linkPackage(path);
  const files = copiedFiles();
  expect(files).toEqual(expect.arrayContaining(['dist', 'package.json', 'content', 'server']));
  for (const file of [...files, 'scripts/prune-packages.mjs']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { recursive: true });
  }
  execFileSync(process.execPath, [join(folder, 'scripts/prune-packages.mjs')]);
  expect(existsSync(join(folder, 'node_modules/vite'))).toBe(false);
  expect(existsSync(join(root, 'node_modules/vite'))).toBe(true);

  const address = await start(join(folder, 'content'));
  await untilSearchable(address);
  for (const path of ['/', '/docs/intro/product_intro', '/search?q=binlog', '/preview/home.png', '/blog/atom.xml']) {
    const answer = await fetch(address + path);
    const body = await answer.arrayBuffer();
    expect([path, answer.status, body.byteLength > 1000]).toEqual([path, 200, true]);
  }

  // Our own content is in the image as compiled; an operator's documents are compiled by the container.
  await end();
  const own = join(folder, 'own');
  mkdirSync(join(own, 'docs'), { recursive: true });
  writeFileSync(join(own, 'docs/a.md'), '# Grants\n\n```sql\nSELECT 1;\n```\n');
  const page = await (await fetch(`${await start(own)}/docs/a`)).text();
  expect(page).toMatch(/<span[^>]*>SELECT<\/span>/);
});
