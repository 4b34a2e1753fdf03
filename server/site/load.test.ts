import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import { firstPaint } from '../../client/contract/first-paint.ts';
import type { Navigation } from '../../client/contract/site.ts';
import { readSiteConfig } from '../config/site.ts';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { loadSite } from './load.ts';
import type { Found } from './services.ts';

test('a content folder without documents and posts is refused, naming the folder', async () => {
  // One exists and contains neither; the other does not exist.
  for (const folder of [import.meta.dirname, join(import.meta.dirname, 'nowhere')]) {
    const config = readSiteConfig({ CONTENT_DIR: folder });
    await expect(loadSite(config, pino({ level: 'silent' }), false)).rejects.toThrow(
      `There is no content in ${folder}:`,
    );
  }
});

const folder = testFolder('load');

/** Loads a content folder as the development server does, which needs no built pages. */
function loaded(
  name: string,
  files: Record<string, string>,
  strict: boolean,
  { env = {}, log = pino({ level: 'silent' }), workerFile }: Loading = {},
) {
  writeFiles(join(folder, name), files);
  const settings = {
    CONTENT_DIR: join(folder, name),
    DATA_DIR: join(folder, 'data'),
    STRICT_CONTENT: strict ? 'on' : 'off',
    ...env,
  };
  return loadSite(readSiteConfig(settings), log, true, workerFile && { workerFile });
}

interface Loading {
  env?: Record<string, string>;
  log?: pino.Logger;
  workerFile?: URL;
}

interface Line {
  level: number;
  msg: string;
  [detail: string]: unknown;
}

/** A log whose lines can be read and awaited. */
function readLog(onLine: (line: Line) => void = () => undefined) {
  const lines: Line[] = [];
  const log = pino(
    { base: null, timestamp: false },
    {
      write(text: string) {
        const line: Line = JSON.parse(text);
        lines.push(line);
        onLine(line);
      },
    },
  );
  return { log, lines };
}

const warning = 40;
const shown = (found: Found) => (found.kind === 'page' ? found : undefined);

test('STRICT_CONTENT aborts the start because of one data file fault, naming its position', async () => {
  const files = { 'docs/a.md': '# A\n', 'redirects.yml': '/old: https://elsewhere.example/\n' };
  const site = await loaded('lenient', files, false);
  expect(site.content().faults).toEqual([]);
  await site.close();
  await expect(loaded('strict', files, true)).rejects.toThrow(
    /STRICT_CONTENT is on:\n.*redirects\.yml\n.*1:7 .*must be an address of this site/s,
  );
});

test('STRICT_CONTENT aborts the start because of a link out of the content folder', async () => {
  writeFiles(join(folder, 'linked'), { 'docs/a.md': '# A\n' });
  symlinkSync('/proc/self/environ', join(folder, 'linked/docs/environ.md'));
  await expect(loaded('linked', {}, true)).rejects.toThrow(/docs\/environ\.md\n.*points outside the content folder/);
});

test('the log lists what a start has read, and each fault with its position', async () => {
  const { log, lines } = readLog();
  const files = { 'docs/a.md': '# A\n\n[b](b.md)\n', 'redirects.yml': '/old: https://elsewhere.example/\n' };
  const site = await loaded('told', files, false, { log });
  const { stats } = site.content();
  expect(stats.compiled).toBeGreaterThan(0);
  expect(lines).toContainEqual({ level: 30, ...stats, msg: 'content ready' });
  const warnings = () => lines.filter(({ level }) => level === warning).map(({ msg }) => msg);
  expect(warnings()).toEqual([
    expect.stringMatching(/^content: .*redirects\.yml:1:7 .*must be an address of this site/),
    expect.stringMatching(/^content: docs\/a\.md:3:1 /),
  ]);
  // In development the author reads it on the page, too.
  expect(shown(await site.findPage('/docs/a', new URLSearchParams()))?.props).toMatchObject({
    doc: { faults: [expect.stringMatching(/^3:1 /)] },
  });
  // Only faults of the content itself are reported again when it is saved.
  writeFiles(join(folder, 'told'), { 'docs/a.md': '# A\n\nMore.\n\n[c](c.md)\n' });
  await site.reload([join(folder, 'told/docs/a.md')]);
  expect(warnings().slice(2)).toEqual([expect.stringMatching(/^content: docs\/a\.md:5:1 /)]);
  // Nothing had to be recompiled; a starved machine also logs its progress.
  const told = lines.filter(({ level, msg }) => level !== warning && msg !== 'compiling content');
  expect(told.map(({ msg }) => msg)).toEqual(['content ready']);
  await site.close();
});

describe('a page that the compiler fails on at a start', () => {
  const workerFile = new URL('../testing/frail-worker.ts', import.meta.url);
  const frail = (name: string) => ({
    'docs/a.md': '# A\n',
    'docs/b.md': `# B\n\nFAILS UNLESS ${join(folder, name)}-works\n`,
  });
  const broken = (site: Awaited<ReturnType<typeof loaded>>) => site.content().docs.get('/docs/b')?.broken;

  test('is served as broken, recompiled in the background, and the log reports its return', async () => {
    const there = Promise.withResolvers<Line>();
    let renewed = 0;
    const { log } = readLog((line) => {
      // The compiler works again once the first try is over.
      if (line.msg === 'content ready') writeFileSync(`${join(folder, 'frail')}-works`, '');
      if (line.msg.startsWith('pages that could not be compiled')) there.resolve(line);
    });
    const site = await loaded('frail', frail('frail'), false, { log, workerFile });
    site.onContentChange?.(() => {
      renewed += 1;
    });
    expect(broken(site)).toBeDefined();
    const first = site.content();
    expect(await there.promise).toMatchObject({ level: 30, compiled: 1 });
    expect(broken(site)).toBeUndefined();
    expect([renewed, site.content() === first]).toEqual([1, false]);
    expect(shown(await site.findPage('/docs/b', new URLSearchParams()))?.meta.indexed).toBe(true);
    await site.close();
  });

  test('aborts the start under STRICT_CONTENT', async () => {
    await expect(loaded('failing', frail('failing'), true, { workerFile })).rejects.toThrow(
      /STRICT_CONTENT is on:\n.*docs\/b\.md/s,
    );
  });
});

test('a saved page is shown, found by search and announced at once', async () => {
  const before = Date.now();
  const site = await loaded('saved', { 'docs/a.md': '# A\n\nMillstone.\n' }, false);
  let told = 0;
  site.onContentChange?.(() => {
    told += 1;
  });
  const hits = async (word: string) => {
    const file = site.findGeneratedFile?.('/search.json', new URLSearchParams({ q: word }));
    return JSON.parse(String(await file?.body())).results.map(({ href }: { href: string }) => href);
  };
  expect(await hits('millstone')).toEqual(['/docs/a']);
  const since = site.contentSince?.() ?? 0;
  expect(since).toBeGreaterThanOrEqual(before);
  writeFiles(join(folder, 'saved'), { 'docs/a.md': '# A\n\nWaterwheel.\n' });
  await site.reload([join(folder, 'saved/docs/a.md')]);
  expect(told).toBe(1);
  expect(site.contentSince?.()).toBeGreaterThanOrEqual(since);
  expect([await hits('millstone'), await hits('waterwheel')]).toEqual([[], ['/docs/a']]);
  await site.close();
});

test('the settings reach the pages', async () => {
  const env = {
    PUBLIC_URL: 'https://www.site.example',
    CLOUD_APP_URL: 'https://cloud.example',
    DEPLOY_SITE: 'china',
    ALLOW_PLAIN_PASSWORD: 'on',
    EDIT_URL: 'https://git.example/edit',
    SECURITY_CONTACT: 'security@site.example',
  };
  const site = await loaded('settings', { 'docs/a.md': '# A\n' }, false, { env });
  expect(site.site).toMatchObject({
    brand: { id: 'millrace' },
    icon: expect.stringMatching(/^data:image\/svg\+xml,/),
    publicUrl: 'https://www.site.example',
    cloudAppUrl: 'https://cloud.example',
    deploySite: 'china',
    plainPassword: true,
    dataLayer: false,
    capabilities: { card: false },
    build: 'development',
  });
  expect(site.site.closing.title).not.toBe('');
  expect(shown(await site.findPage('/docs/a', new URLSearchParams()))?.props).toMatchObject({
    doc: { editHref: 'https://git.example/edit/docs/a.md' },
  });
  const file = (path: string) => site.findGeneratedFile?.(path, new URLSearchParams());
  expect(file('/.well-known/security.txt')?.type).toBe('text/plain; charset=utf-8');
  expect(file('/preview/docs/a.png')?.type).toBe('image/png');
  expect(String(await file('/sitemap.xml')?.body())).toContain('https://www.site.example/docs/a<');
  expect(file('/nothing')).toBeUndefined();
  // The only script that is inside the document itself.
  expect(site.scriptHashes).toEqual([`sha256-${createHash('sha256').update(firstPaint).digest('base64')}`]);
  await site.close();
});

test("the dates of built-in files are not shown for an operator's files", async () => {
  const file = 'docs/intro/product_intro.md';
  const site = await loaded('days', { [file]: '# Theirs\n' }, false);
  const page = shown(await site.findPage('/docs/intro/product_intro', new URLSearchParams()));
  expect(page?.props).toMatchObject({ doc: { title: 'Theirs', file } });
  expect(page?.props).not.toMatchObject({ doc: { updated: expect.anything() } });
  await site.close();
});

test('the pricing page shows the questions for its way of payment', async () => {
  const asked = async (name: string, env: Record<string, string>) => {
    const site = await loaded(name, { 'docs/a.md': '# A\n' }, false, { env });
    const props = shown(await site.findPage('/pricing', new URLSearchParams()))?.props;
    await site.close();
    return props;
  };
  const about = (when: string) => expect.objectContaining({ when });
  const always = expect.not.objectContaining({ when: expect.anything() });
  const transfer = await asked('transfer', {});
  expect(transfer).toMatchObject({ pricing: { questions: expect.arrayContaining([about('transfer'), always]) } });
  expect(transfer).not.toMatchObject({ pricing: { questions: expect.arrayContaining([about('card')]) } });
  const card = await asked('card', { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' });
  expect(card).toMatchObject({ pricing: { questions: expect.arrayContaining([about('card'), always]) } });
  expect(card).not.toMatchObject({ pricing: { questions: expect.arrayContaining([about('transfer')]) } });
});

test('a static folder that is a link out of the content is not served', async () => {
  writeFiles(join(folder, 'static'), { 'docs/a.md': '# A\n' });
  symlinkSync(folder, join(folder, 'static/static'));
  const site = await loaded('static', {}, false);
  expect(site.staticDirs).toEqual([expect.stringMatching(/content\/static$/)]);
  await site.close();
});

describe('the navigation fits', () => {
  const links = ({ bar, footer }: Navigation) => ({
    bar: bar.flatMap(({ href, items }) => items?.map((item) => item.href) ?? [href]),
    footer: footer.flatMap((column) => column.links.map(({ href }) => href)),
  });
  const bySite = ['/', '/why', '/connector', '/solution1', '/solution2'];

  test("an operator's documents: links to ours are hidden, and Documents leads to /docs", async () => {
    const site = await loaded('foreign', { 'docs/guide/a.md': '---\naliases: [/docs/price]\n---\n# A\n' }, false);
    expect(links(site.site.navigation)).toEqual({
      bar: [...bySite, '/blog', '/docs', '/pricing', '/about'],
      footer: [...bySite, '/pricing', '/docs', '/blog', '/about', '/blog/authors'],
    });
    expect(site.site.navigation.footer.map(({ title }) => title)).toEqual(['Product', 'Resources', 'Company']);
    expect(site.site.announcement).toBeUndefined();
    const find = async (path: string) => (await site.findPage(path, new URLSearchParams())).status;
    expect([await find('/docs'), await find('/docs/intro'), await find('/docs/quick')]).toEqual([302, 404, 404]);
    expect(await find('/docs/price')).toBe(301);
    await site.close();
  });

  test('a blog alone: there is no Documents link until a document is added', async () => {
    const own = {
      'blog/a.md': '---\ntitle: A\ndate: 2024-01-01\ntags: [t]\nauthors: [x]\n---\n',
      'navigation.yml':
        'bar:\n  - { id: about, label: Old, href: /old?a=1#b }\n  - id: resources\n    label: Resources\n    items: ' +
        '[{ label: Documents, href: /docs/intro/product_intro, description: d }]\nfooter: ' +
        '[{ title: Feeds, links: [{ label: RSS, href: /blog/rss.xml }, { label: T, href: /blog/tags/t }, { label: S, href: /docs/b.md }] }]\n',
      'redirects.yml': '/old: /blog/a#top\n/docs/older: /docs/b\n/round: /about/round?x\n/about/round: /round/\n',
      'announcement.yml': 'id: a\ntext: A\nhref: https://elsewhere.example/docs/x\nlinkLabel: B\n',
    };
    const site = await loaded('posts', own, false);
    expect(links(site.site.navigation)).toEqual({ bar: ['/old?a=1#b'], footer: ['/blog/rss.xml', '/blog/tags/t'] });
    expect(site.site.navigation.bar.map(({ label }) => label)).toEqual(['Old']);
    expect(site.site.announcement).toMatchObject({ linkLabel: 'B' });
    writeFiles(join(folder, 'posts'), { 'docs/b.md': '# B\n' });
    await site.reload([join(folder, 'posts/docs/b.md')]);
    expect(links(site.site.navigation)).toEqual({
      bar: ['/old?a=1#b', '/docs'],
      footer: ['/blog/rss.xml', '/blog/tags/t', '/docs/b.md'],
    });
    const find = (path: string) => site.findPage(path, new URLSearchParams());
    expect(await find('/docs/older')).toMatchObject({ status: 301, to: '/docs/b' });
    // In a circle no one arrives.
    expect(await find('/round')).toMatchObject({ status: 404 });
    await site.close();
  });
});
