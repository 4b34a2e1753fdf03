import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import request from 'supertest';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Content } from '../content/content.ts';
import { testFolder, testLoader, writeFiles } from '../testing/content-folder.ts';
import { stubServices } from '../testing/stub-services.ts';
import { tinyContent } from '../testing/tiny-content.ts';
import { createApp } from './app.ts';
import { findGeneratedFile } from './generated/find-generated-file.ts';

const root = testFolder('files');
let folders = 0;

/** A separate folder with files; each contains its text. */
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

test('files with a hash in their address are cached forever, others for an hour', async () => {
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

describe('a symbolic link', () => {
  const large = 1_200_000;

  /** A site whose files become links while it runs. */
  async function swapped(links: Record<string, string>) {
    const content = folderOf({
      'docs/a.md': '# A\n\n![P](p.png) [Z](z.csv)\n',
      'docs/p.png': 'picture',
      'docs/z.csv': '',
      'static/s.txt': 'static',
      'static/t.csv': '',
      'more/p.png': 'inside',
    });
    for (const file of ['docs/z.csv', 'static/t.csv']) truncateSync(join(content, file), large);
    const loader = testLoader(content, '.', { dataDir: `${content}-data` });
    const loaded = await loader.load();
    const client = siteWith(content, loaded);
    for (const [file, target] of Object.entries(links)) {
      rmSync(join(content, file), { recursive: true });
      symlinkSync(target, join(content, file));
    }
    const addressOf = (name: string) => [...loaded.files.keys()].find((address) => address.endsWith(name)) ?? '';
    return { ...client, addressOf, close: () => loader.close() };
  }

  function siteWith(contentDir: string, content: Content) {
    const services = stubServices({ CONTENT_DIR: contentDir }, { staticDirs: [join(contentDir, 'static')] });
    const sources = { content, site: services.site, urls: new Map(), search: () => Promise.reject(new Error('None.')) };
    const client = request(
      createServer(
        createApp({
          ...services,
          content: () => content,
          findGeneratedFile: (path, query) => findGeneratedFile(path, query, sources),
        }).listener,
      ),
    );
    const told = () => services.logged.filter(({ level }) => level === 40).map(({ msg }) => msg);
    return { client, told };
  }

  test('may be in static/ from the start and lead in a circle: only files are served', async () => {
    const content = folderOf({ 'docs/a.md': '# A\n', 'static/s.txt': 'static' });
    for (const name of ['here', 'again']) symlinkSync('.', join(content, 'static', name));
    const loader = testLoader(content, '.', { dataDir: `${content}-data` });
    const { client } = siteWith(content, await loader.load());
    await client.get('/s.txt').expect(200);
    await client.get('/here/s.txt').expect(404);
    await loader.close();
  });

  test('that replaces a file after the start is not followed out of the content folder: 404, with one warning per file', async () => {
    const secret = folderOf({ 'secret.txt': 'secret', 'large.txt': '', 'in/s.txt': 'secret' });
    truncateSync(join(secret, 'large.txt'), large);
    const site = await swapped({
      'docs/a.md': join(secret, 'secret.txt'),
      'docs/p.png': join(secret, 'secret.txt'),
      'docs/z.csv': join(secret, 'large.txt'),
      static: join(secret, 'in'),
    });
    const paths = ['/docs/a.md', site.addressOf('p.png'), site.addressOf('z.csv'), '/s.txt', '/t.csv', '/s.txt'];
    for (const path of paths) {
      const { status, text = '' } = await site.client.get(path);
      expect([path, status, text.includes('secret')]).toEqual([path, 404, false]);
    }
    expect(site.told()).toEqual([
      'content: docs/p.png:1:1 It is left out: it points outside the content folder.',
      'content: docs/z.csv:1:1 It is left out: it points outside the content folder.',
      'content: static/s.txt:1:1 It is left out: it is a link, and static/ serves only files.',
    ]);
    await site.close();
  });

  test('that replaces a file after the start is followed inside the content folder, but not in static/', async () => {
    const site = await swapped({ 'docs/p.png': '../more/p.png', 'static/s.txt': '../docs/a.md' });
    const picture = await site.client.get(site.addressOf('p.png'));
    expect([picture.status, picture.body.toString()]).toEqual([200, 'inside']);
    expect((await site.client.get('/s.txt')).status).toBe(404);
    const { status, headers } = await site.client.get('/t.csv').set('Range', 'bytes=0-9');
    expect([status, headers['content-length']]).toEqual([206, '10']);
    await site.close();
  });
});

test('the first folder that has a file wins, and built files win over all folders', async () => {
  const first = folderOf({ 'both.txt': 'first', 'favicon.svg': 'first' });
  const second = folderOf({ 'both.txt': 'second', 'second.txt': 'second' });
  const { client } = siteOf([first, second, join(first, 'missing')]);
  expect((await client.get('/both.txt')).text).toBe('first');
  expect((await client.get('/second.txt')).text).toBe('second');
  expect((await client.get('/favicon.svg')).body.toString()).toContain('<svg');
});

test('hidden files are not served, except well-known ones', async () => {
  const folder = folderOf({ '.env': 'secret', '.git/config': 'secret', 'a/.b/c.txt': 'secret', '.well-known/d': 'd' });
  truncateSync(join(folder, '.well-known/d'), 1_200_000);
  const { client } = siteOf([folder]);
  for (const path of ['/.env', '/.git/config', '/a/.b/c.txt', '/.well-known'])
    expect((await client.get(path)).status, path).toBe(404);
  const { status, headers } = await client.get('/.well-known/d');
  expect([status, headers['content-length']]).toEqual([200, '1200000']);
});

test.each(['http://site.example', 'https://site.example'])(
  'a large file has the headers of a small one: %s',
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

test('a file that cannot be read is a server error and logged', async () => {
  const folder = folderOf({ 'sub/a.txt': 'a' });
  const { client, services } = siteOf([folder]);
  rmSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'sub'), 'a file where a folder was');
  expect((await client.get('/sub/a.txt')).status).toBe(500);
  expect(services.logged).toContainEqual(
    expect.objectContaining({ level: 50, err: expect.objectContaining({ code: 'ENOTDIR' }) }),
  );
});

test('a client that leaves while a large file is being opened does not stop the server', async () => {
  const folder = folderOf({ 'large.csv': '' });
  truncateSync(join(folder, 'large.csv'), 1_200_000);
  const { services, client } = siteOf([folder]);
  const server = createServer(createApp(services).listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Keeps the threads busy that read files, so that clients leave at every step.
  let isOver = false;
  const keepBusy = () => pbkdf2('a', 'b', 5_000, 32, 'sha512', () => isOver || keepBusy());
  for (let i = 0; i < 8; i++) keepBusy();
  onTestFinished(() => {
    isOver = true;
  });
  for (let i = 0; i < 300; i++) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /large.csv HTTP/1.1\r\nHost: x\r\n\r\n');
    await delay(i % 15);
    socket.resetAndDestroy();
  }
  expect((await client.get('/large.csv')).status).toBe(200);
  expect(services.logged.filter(({ msg }) => msg !== 'request')).toEqual([]);
});
