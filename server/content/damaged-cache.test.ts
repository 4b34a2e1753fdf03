import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, describe, expect, test } from 'vitest';
import { testFolder, testLoader, writeFiles } from '../testing/content-folder.ts';
import { keptLog } from '../testing/content-log.ts';
import type { Content } from './content.ts';

const folder = testFolder('damaged-cache');
const docs = ['one', 'two', 'three', 'four'];
const sound = join(folder, 'sound');
let texts: string[] = [];

const textsOf = (content: Content) => docs.map((name) => content.body(`/docs/${name}`).text);

beforeAll(async () => {
  const pages = docs.map((name) => [`docs/${name}.md`, `# ${name}\n\nThe text of ${name}. ${'word '.repeat(400)}\n`]);
  writeFiles(join(folder, 'content'), Object.fromEntries(pages));
  const loader = testLoader(folder, 'content', { dataDir: sound });
  texts = textsOf(await loader.load());
  await loader.close();
});

/** A separate data folder that contains the intact cache. */
function dataFolder(name: string): { dataDir: string; file: string } {
  const dataDir = join(folder, name.replaceAll(' ', '-'));
  cpSync(sound, dataDir, { recursive: true });
  return { dataDir, file: join(dataDir, 'content-cache.sqlite') };
}

/** Flips every bit of `count` bytes. */
function flip(file: string, at: number, count: number): void {
  const bytes = readFileSync(file);
  for (let index = at; index < at + count; index += 1) bytes[index] = 255 - (bytes[index] ?? 0);
  writeFileSync(file, bytes);
}

function placeOf(file: string, what: string | Uint8Array): number {
  const at = readFileSync(file).lastIndexOf(what);
  if (at < 0) throw new Error(`The cache holds no ${what}.`);
  return at;
}

const zstdMagic = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd]);

const damages: Record<string, (file: string) => void> = {
  'half a file': (file) => truncateSync(file, readFileSync(file).length / 2),
  'a damaged format name': (file) => flip(file, 0, 8),
  'damaged bytes in the rest of the header': (file) => flip(file, 16, 40),
  'damaged bytes in the first page': (file) => flip(file, 100, 200),
  'other tables': (file) => {
    rmSync(file);
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE other (a); INSERT INTO other VALUES (1)');
    database.close();
  },
  'our tables with other columns': (file) => {
    rmSync(file);
    const database = new DatabaseSync(file);
    database.exec('CREATE TABLE facts (a); CREATE TABLE body (a); CREATE TABLE note (a); PRAGMA user_version = 2');
    database.close();
  },
  'no database at all': (file) => writeFileSync(file, 'not a database '.repeat(1000)),
  'a folder in its place': (file) => {
    rmSync(file);
    mkdirSync(file);
  },
};

describe('a start on a damaged cache', () => {
  test.each(Object.entries(damages))('%s: recompiles, moves the file aside, and warns once', async (name, damage) => {
    const { dataDir, file } = dataFolder(name);
    damage(file);
    const log = keptLog();
    const loader = testLoader(folder, 'content', { dataDir, log });
    const content = await loader.load();
    expect(content.stats).toMatchObject({ pages: 4, compiled: 4 });
    expect(content.faults).toEqual([]);
    expect(textsOf(content)).toEqual(texts);
    const aside = join(dataDir, 'content-cache.damaged.sqlite');
    expect(log.warnings).toEqual([expect.stringContaining(`moved to ${aside}`)]);
    expect(existsSync(aside)).toBe(true);
    await loader.close();

    const later = keptLog();
    const next = testLoader(folder, 'content', { dataDir, log: later });
    expect((await next.load()).stats).toMatchObject({ compiled: 0 });
    expect(later.warnings).toEqual([]);
    await next.close();
  });

  test('an empty file: recompiles without a warning', async () => {
    const { dataDir, file } = dataFolder('empty');
    writeFileSync(file, '');
    const log = keptLog();
    const loader = testLoader(folder, 'content', { dataDir, log });
    expect(textsOf(await loader.load())).toEqual(texts);
    expect(log.warnings).toEqual([]);
    await loader.close();
  });

  test("another program's journal files: recompiles and removes them", async () => {
    const { dataDir, file } = dataFolder('journal');
    writeFileSync(file, 'garbage '.repeat(2000));
    for (const ending of ['-journal', '-wal', '-shm']) writeFileSync(file + ending, 'garbage '.repeat(2000));
    const loader = testLoader(folder, 'content', { dataDir });
    expect(textsOf(await loader.load())).toEqual(texts);
    for (const ending of ['-wal', '-shm']) expect(existsSync(file + ending)).toBe(false);
    await loader.close();
  });

  test('damaged facts of one page: recompiles that page', async () => {
    const { dataDir, file } = dataFolder('facts row');
    flip(file, placeOf(file, 'The text of two'), 3);
    const log = keptLog();
    const loader = testLoader(folder, 'content', { dataDir, log });
    const content = await loader.load();
    expect(content.stats).toMatchObject({ compiled: 1, cached: 3 });
    expect(textsOf(content)).toEqual(texts);
    expect(content.docs.get('/docs/two')?.description).toContain('The text of two');
    expect(log.warnings).toEqual([expect.stringContaining('A row in the compiled-content cache')]);
    await loader.close();
    const next = testLoader(folder, 'content', { dataDir });
    expect((await next.load()).stats).toMatchObject({ compiled: 0 });
    await next.close();
  });

  test('damaged text of one page: recompiles it when it is requested', async () => {
    const { dataDir, file } = dataFolder('body row');
    flip(file, placeOf(file, zstdMagic) + 12, 3);
    const log = keptLog();
    const loader = testLoader(folder, 'content', { dataDir, log });
    const content = await loader.load();
    expect(content.stats).toMatchObject({ compiled: 0 });
    expect(await loader.whole(() => textsOf(content))).toEqual(texts);
    expect(textsOf(content)).toEqual(texts);
    expect(log.warnings).toEqual([expect.stringContaining('A row in the compiled-content cache')]);
    await loader.close();
  });
});

test('a data folder that is not writable is replaced by memory, with one warning', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const log = keptLog();
  const loader = testLoader(folder, 'content', { dataDir: join(file, 'below'), log });
  expect(textsOf(await loader.load())).toEqual(texts);
  expect(log.warnings).toEqual([expect.stringContaining('memory only')]);
  await loader.close();
});

test('a cache locked by another program is replaced by memory, with one warning', async () => {
  const { dataDir, file } = dataFolder('held');
  const other = new DatabaseSync(file);
  other.exec('BEGIN EXCLUSIVE');
  const log = keptLog();
  const loader = testLoader(folder, 'content', { dataDir, log, busyMs: 0 });
  expect(textsOf(await loader.load())).toEqual(texts);
  expect(log.warnings).toEqual([expect.stringContaining('memory only')]);
  await loader.close();
  other.close();
  const next = testLoader(folder, 'content', { dataDir });
  expect((await next.load()).stats).toMatchObject({ compiled: 0 });
  await next.close();
});

describe('while the site runs', () => {
  test('an overwritten cache file is moved aside, and every text is recompiled', async () => {
    const { dataDir, file } = dataFolder('overwritten');
    const log = keptLog();
    const loader = testLoader(folder, 'content', { dataDir, log });
    const content = await loader.load();
    writeFileSync(file, 'garbage '.repeat(4000));
    const asked = docs.map((name) => loader.whole(() => content.body(`/docs/${name}`).text));
    expect(await Promise.all(asked)).toEqual(texts);
    expect(textsOf(content)).toEqual(texts);
    expect(log.warnings).toEqual([expect.stringContaining('moved to')]);

    // The second time, no third file is created.
    writeFileSync(file, 'garbage '.repeat(4000));
    expect(await loader.whole(() => textsOf(content))).toEqual(texts);
    expect(log.warnings).toEqual([expect.stringContaining('moved to'), expect.stringContaining('memory only')]);
    await loader.close();
  });

  test('a request for one lost text restores all lost texts', async () => {
    const { dataDir, file } = dataFolder('together');
    const loader = testLoader(folder, 'content', { dataDir });
    const content = await loader.load();
    writeFileSync(file, 'garbage '.repeat(4000));
    await loader.whole(() => content.body('/docs/one'));
    expect(textsOf(content)).toEqual(texts);
    await loader.close();
  });

  test('a lost text whose file was edited meanwhile is an error that says so', async () => {
    writeFiles(join(folder, 'edited'), { 'docs/a.md': '# A\n\nBefore.\n' });
    const loader = testLoader(folder, 'edited');
    const content = await loader.load();
    writeFiles(join(folder, 'edited'), { 'docs/a.md': '# A\n\nAfter.\n' });
    expect(content.body('/docs/a').text).toBe('Before.');
    writeFileSync(join(folder, 'edited-data/content-cache.sqlite'), 'garbage '.repeat(2000));
    await expect(loader.whole(() => content.body('/docs/a'))).rejects.toThrow('docs/a.md has changed since the start');
    await loader.close();
  });
});
