import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import request from 'supertest';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { stubServices } from '../testing/stub-services.ts';
import { tinyContent } from '../testing/tiny-content.ts';
import { createApp } from './app.ts';

const root = testFolder('files');
let folders = 0;

/** A folder of its own with files; each holds its text. */
function folderOf(files: Record<string, string>): string {
  folders += 1;
  const folder = join(root, String(folders));
  writeFiles(folder, files);
  return folder;
}

function siteOf(staticDirs: string[], contentFiles: [string, string][] = [], env: Record<string, string> = {}) {
  const content = { ...tinyContent(), files: new Map(contentFiles) };
  const services = stubServices(env, { staticDirs, content: () => content });
  const lines = () => services.logged.filter(({ msg }) => msg === 'request');
  return { services, client: request(createServer(createApp(services).listener)), lines };
}

test('what has a hash in its address is kept for ever, everything else for an hour', async () => {
  const folder = folderOf({ 'a.png': 'a', 'assets/own.css': 'own', 'deep/er/b.txt': 'b' });
  const { client, lines } = siteOf(
    [folder],
    [
      ['/_content/a.1b2c3d.png', join(folder, 'a.png')],
      ['/docs/a.png', join(folder, 'a.png')],
    ],
  );
  const forever = 'public, max-age=31536000, immutable';
  const anHour = 'public, max-age=3600';
  const table = [
    ['/assets/entry.A1b2C3.js', forever, '/assets/*'],
    ['/favicon.svg', anHour, 'static'],
    ['/assets/own.css', anHour, 'static'],
    ['/deep/er/b.txt', anHour, 'static'],
    ['/_content/a.1b2c3d.png', forever, '/_content/*'],
    ['/docs/a.png', anHour, 'content file'],
  ] as const;
  for (const [path, cacheControl] of table) {
    const { status, headers } = await client.get(path);
    expect([path, status, headers['cache-control']]).toEqual([path, 200, cacheControl]);
  }
  expect(lines().map(({ route }) => route)).toEqual(table.map(([, , route]) => route));
});

test('a link that is set in the place of a file since is not followed', async () => {
  const outside = folderOf({ 'secret.txt': 'secret' });
  const folder = folderOf({ 'a.txt': 'a', 'b.png': 'b' });
  const { client } = siteOf([folder], [['/_content/1/b.png', join(folder, 'b.png')]]);
  for (const name of ['a.txt', 'b.png']) {
    rmSync(join(folder, name));
    symlinkSync(join(outside, 'secret.txt'), join(folder, name));
  }
  const answers = await Promise.all(['/a.txt', '/_content/1/b.png'].map((path) => client.get(path)));
  expect(answers.map(({ status, text }) => [status, text?.includes('secret')])).toEqual([
    [404, false],
    [404, false],
  ]);
});

test('of two folders the first that has a file wins, and what is built wins over both', async () => {
  const first = folderOf({ 'both.txt': 'first', 'favicon.svg': 'first' });
  const second = folderOf({ 'both.txt': 'second', 'second.txt': 'second' });
  const { client } = siteOf([first, second, join(first, 'missing')]);
  expect((await client.get('/both.txt')).text).toBe('first');
  expect((await client.get('/second.txt')).text).toBe('second');
  expect((await client.get('/favicon.svg')).body.toString()).toContain('<svg');
});

test('hidden files are not served, but for well-known ones', async () => {
  const folder = folderOf({ '.env': 'secret', '.git/config': 'secret', 'a/.b/c.txt': 'secret', '.well-known/d': 'd' });
  truncateSync(join(folder, '.well-known/d'), 1_200_000);
  const { client } = siteOf([folder]);
  for (const path of ['/.env', '/.git/config', '/a/.b/c.txt', '/.well-known'])
    expect((await client.get(path)).status, path).toBe(404);
  const { status, headers } = await client.get('/.well-known/d');
  expect([status, headers['content-length']]).toEqual([200, '1200000']);
});

test.each(['http://site.example', 'https://site.example'])(
  'a large file carries what a small one does: %s',
  async (publicUrl) => {
    const { client, services } = siteOf([folderOf({ 'small.csv': 'a,b' })], [], { PUBLIC_URL: publicUrl });
    const small = await client.get('/small.csv');
    const large = await client.get('/large.csv');
    const ofKind = ({ headers }: typeof small) => {
      const { etag, date, vary, 'last-modified': modified, 'content-length': length, ...others } = headers;
      return { ...others, 'accept-ranges': 'bytes', 'x-request-id': '' };
    };
    expect([large.status, large.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(ofKind(large)).toEqual(ofKind(small));
    expect(large.headers['x-request-id']).toMatch(/^[\w-]+$/);
    expect(large.headers['strict-transport-security'] !== undefined).toBe(publicUrl.startsWith('https:'));
    expect(services.logged.map(({ route }) => route)).toEqual(['static', 'static']);
  },
);

test('a file that cannot be looked at is a fault of the server, and logged', async () => {
  const folder = folderOf({ 'sub/a.txt': 'a' });
  const { client, services } = siteOf([folder]);
  rmSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'sub'), 'a file where a folder was');
  expect((await client.get('/sub/a.txt')).status).toBe(500);
  expect(services.logged).toContainEqual(
    expect.objectContaining({ level: 50, err: expect.objectContaining({ code: 'ENOTDIR' }) }),
  );
});
