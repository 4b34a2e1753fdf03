import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Element, Root } from 'hast';
import pino from 'pino';
import rehypeRaw from 'rehype-raw';
import request from 'supertest';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { firstPaint } from '../../client/contract/first-paint.ts';
import { readSiteConfig } from '../config/site.ts';
import { createApp } from './app.ts';
import { loadSite } from './load.ts';
import { firstDocument, fixedPaths } from './urls.ts';

// The whole site as visitors get it: real content, built pages, the real app. `npm test` builds before.

// React and Vike as in production; `loadSite` loads them.
vi.stubEnv('NODE_ENV', 'production');

const publicUrl = 'https://www.site.example';
const closing: (() => unknown)[] = [];

async function openSite(brand: string, env: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'millrace-site-'));
  const config = readSiteConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    // Another site, so links to it are not mistaken for our own pages.
    CLOUD_APP_URL: 'https://cloud.example',
    SITE_BRAND: brand,
    SECURITY_CONTACT: 'security@site.example',
    STRICT_CONTENT: 'on',
    ...env,
  });
  const log = pino({ level: 'silent' });
  const loaded = await loadSite(config, log, false);
  const server = createServer(createApp({ ...loaded, config, log }).listener).listen(0, '127.0.0.1');
  closing.push(
    () => server.close(),
    () => loaded.close(),
    () => rmSync(dataDir, { recursive: true, force: true }),
  );
  return { loaded, client: request(server) };
}

afterAll(async () => {
  vi.unstubAllEnvs();
  for (const close of closing) await close();
});

type Site = Awaited<ReturnType<typeof openSite>>;

/** What the tests check on a page, read by a real HTML parser. */
interface ReadPage {
  status: number;
  type: string;
  html: string;
  headings: string[];
  /** Words in <main>, without scripts. */
  words: number;
  ids: string[];
  /** Every address that the page links to or shows. */
  links: string[];
  images: Record<string, unknown>[];
  /** Files that script tags load, with the hash that the browser expects. */
  scripts: { src: string; integrity: unknown }[];
  /** Attributes and scripts that the policy blocks. */
  refused: string[];
  /** Ids that attributes refer to, e.g. `aria-labelledby`. */
  named: string[];
}

const parser = unified().use(rehypeRaw).freeze();
const parse = (html: string): Root =>
  parser.runSync({
    type: 'root',
    children: [{ type: 'doctype' }, { type: 'raw', value: html.replace(/^<!doctype html>/i, '') }],
  });

function wordsOf(node: Root | Element): string {
  const texts: string[] = [];
  visit(node, (child) => {
    if (child.type === 'element' && /^(script|style|template)$/.test(child.tagName)) return SKIP;
    if (child.type === 'text') texts.push(child.value);
  });
  return texts.join(' ').replace(/\s+/g, ' ').trim();
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

function refusedIn({ tagName, properties, children }: Element, policy: string): string[] {
  const names = Object.keys(properties).filter((name) => name === 'style' || /^on[A-Z]/.test(name));
  const [text] = children;
  const inline = tagName === 'script' && !properties.src && !/json$/.test(String(properties.type ?? ''));
  const unknown = inline && !(text?.type === 'text' && text.value === firstPaint);
  const allowed = /style-src ([^;]*);/.exec(policy)?.[1]?.split(' ') ?? [];
  const styles = tagName === 'style' ? hashOf(text?.type === 'text' ? text.value : '') : undefined;
  return [
    ...names.map((name) => `<${tagName} ${name}>`),
    ...(unknown ? ['inline <script>'] : []),
    ...(styles && !allowed.includes(`'${styles}'`) ? ['inline <style>'] : []),
  ];
}

const idReferences = [
  'htmlFor',
  'ariaLabelledBy',
  'ariaDescribedBy',
  'ariaControls',
  'popoverTarget',
  'list',
  'headers',
];
const addresses = ['href', 'src', 'action', 'formAction', 'poster'];
const strings = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');

function readPage(status: number, type: string, html: string, policy = ''): ReadPage {
  const page: ReadPage = {
    status,
    type,
    html,
    headings: [],
    words: 0,
    ids: [],
    links: [],
    images: [],
    scripts: [],
    refused: [],
    named: [],
  };
  if (!type.startsWith('text/html')) return page;
  visit(parse(html), 'element', (node) => {
    const { tagName, properties } = node;
    if (tagName === 'h1') page.headings.push(wordsOf(node));
    if (tagName === 'main') page.words = wordsOf(node).split(' ').length;
    if (tagName === 'img') page.images.push(properties);
    if (tagName === 'script' && properties.src)
      page.scripts.push({ src: String(properties.src), integrity: properties.integrity });
    if (typeof properties.id === 'string') page.ids.push(properties.id);
    page.links.push(...addresses.flatMap((name) => strings(properties[name])));
    page.named.push(...idReferences.flatMap((name) => strings(properties[name]).flatMap((ids) => ids.split(' '))));
    page.refused.push(...refusedIn(node, policy));
  });
  return page;
}

/** The path and query of an address on this site; undefined for other sites and other protocols. */
function localAddress(link: string, from: string): { address: string; anchor: string } | undefined {
  const url = URL.parse(link, publicUrl + from);
  if (url?.origin !== publicUrl) return undefined;
  return { address: url.pathname + url.search, anchor: decodeURIComponent(url.hash.slice(1)) };
}

/**
 * Fetches every address that can be reached from the given ones; a redirect's target is followed as an address of its
 * own.
 */
async function crawl({ client }: Site, starts: Iterable<string>): Promise<Map<string, ReadPage & { to?: string }>> {
  const pages = new Map<string, ReadPage & { to?: string }>();
  const waiting = new Set(starts);
  for (const address of waiting) {
    const { status, headers, text } = await client.get(address).redirects(0);
    const page = readPage(status, headers['content-type'] ?? '', text ?? '', headers['content-security-policy']);
    const to = headers.location;
    pages.set(address, { ...page, ...(to !== undefined && { to }) });
    for (const link of [...page.links, ...strings(to)]) {
      const local = localAddress(link, address);
      if (local) waiting.add(local.address);
    }
  }
  return pages;
}

const millrace = await openSite('millrace');
const content = millrace.loaded.content();
const documents = [...content.docs.keys()];
const posts = [...content.posts.keys()];
const publicPages = fixedPaths.filter((path) => !path.startsWith('/blog') && path !== '/search');
const lists = [
  ...fixedPaths.filter((path) => path.startsWith('/blog')),
  ...content.tags.map(({ tag }) => `/blog/tags/${tag.id}`),
  ...content.authors.map(({ author }) => `/blog/authors/${author.name}`),
];
const everyPage = [...publicPages, ...documents, ...posts, ...lists, '/search', '/search?q=binlog'];
const variants = ['/connector?kind=streaming', '/docs/dataMigrationAndSync/connection/mysql?target=kafka'];
const crawled = await crawl(millrace, [...everyPage, ...variants]);
const htmlPages = [...crawled].filter(([, page]) => page.type.startsWith('text/html') && page.to === undefined);

function pageAt(address: string): ReadPage {
  const page = crawled.get(address);
  if (!page) throw new Error(`${address} was not fetched.`);
  return page;
}

/** Each fault once, with the first page that has it and how many others do: a fault of the footer is one line. */
function faults(of: (page: ReadPage, address: string) => string[]): string[] {
  const found = htmlPages.flatMap(([address, page]) =>
    [...new Set(of(page, address))].map((fault) => ({ fault, address })),
  );
  return [...Map.groupBy(found, ({ fault }) => fault)].map(
    ([fault, on]) => `${fault} on ${on[0]?.address} and ${on.length - 1} more`,
  );
}

describe('every page', () => {
  // The least that a page of this kind can say.
  test.each([
    ['public pages', publicPages, 14, 12],
    ['documents', documents, 65, 100],
    ['posts', posts, 8, 300],
    ['lists of posts', lists, 12, 25],
  ])('%s have a heading and a text', (_kind, wanted, count, words) => {
    expect(wanted.length).toBeGreaterThanOrEqual(count);
    const bad = wanted.flatMap((address) => {
      const page = pageAt(address);
      const status = address === '/404' ? 404 : 200;
      const fine = page.status === status && page.type === 'text/html; charset=utf-8' && page.words >= words;
      return fine && page.headings.length === 1 && page.headings[0]
        ? []
        : [`${address}: ${page.status}, ${page.words} words`];
    });
    expect(bad).toEqual([]);
  });

  test('the fourteen public pages have different headings, and all but two are long', () => {
    const headings = publicPages.map((address) => pageAt(address).headings[0]);
    expect(new Set(headings).size).toBe(14);
    const short = publicPages.filter((address) => pageAt(address).words < 80);
    expect(short).toEqual(['/loading', '/404']);
  });

  test('contains nothing that the policy refuses', () => {
    expect(htmlPages.length).toBeGreaterThan(100);
    expect(faults(({ refused }) => refused)).toEqual([]);
  });

  test('has the hashes of its scripts', async () => {
    const crash = await millrace.loaded.renderCrash(millrace.loaded.site, 'id');
    const pages = [...htmlPages, ['the crash page', readPage(500, 'text/html', crash.html)] as const];
    expect(pages.filter(([, { scripts }]) => scripts.length === 0).map(([address]) => address)).toEqual([]);
    const served = new Map<string, string>();
    for (const { src } of pages.flatMap(([, { scripts }]) => scripts)) {
      if (served.has(src)) continue;
      const { status, text } = await millrace.client.get(src);
      expect([src, status]).toEqual([src, 200]);
      served.set(src, hashOf(text));
    }
    const wrong = pages.flatMap(([address, { scripts }]) =>
      scripts.filter(({ src, integrity }) => integrity !== served.get(src)).map(({ src }) => `${src} on ${address}`),
    );
    expect(wrong).toEqual([]);
  });

  test('has unique ids and refers only to ids it has', () => {
    expect(faults(({ ids }) => ids.filter((id, at) => ids.indexOf(id) !== at))).toEqual([]);
    expect(faults(({ ids, named }) => named.filter((id) => !ids.includes(id)))).toEqual([]);
  });

  test('links only to existing pages and anchors', () => {
    const broken = (link: string, from: string): boolean => {
      const local = localAddress(link, from);
      if (!local) return false;
      let target = crawled.get(local.address);
      if (target?.to !== undefined) target = crawled.get(localAddress(target.to, local.address)?.address ?? '');
      const exists = target?.status === 200 || (local.address === from && target?.status === 404);
      return !exists || (local.anchor !== '' && !target?.ids.includes(local.anchor));
    };
    const local = htmlPages.flatMap(([address, { links }]) => links.filter((link) => localAddress(link, address)));
    expect(local.length).toBeGreaterThan(htmlPages.length * 20);
    expect(local.filter((link) => link.includes('#')).length).toBeGreaterThan(htmlPages.length);
    expect(faults(({ links }, from) => links.filter((link) => broken(link, from)))).toEqual([]);
  });

  test('has pictures with sizes and alternative texts', () => {
    const pictures = htmlPages.flatMap(([, { images }]) => images);
    expect(pictures.length).toBeGreaterThan(5);
    expect(
      faults(({ images }) =>
        images.flatMap(({ src, width, height, alt }) =>
          Number(width) > 0 && Number(height) > 0 && typeof alt === 'string' ? [] : [String(src)],
        ),
      ),
    ).toEqual([]);
    const types = pictures.flatMap(({ src }) => (localAddress(String(src), '/') ? [pageAt(String(src)).type] : []));
    expect(types.filter((type) => !type.startsWith('image/'))).toEqual([]);
  });

  test('names its own address by PUBLIC_URL, whatever the Host header says', async () => {
    const canonicals = new Map(
      htmlPages.map(([address, { html }]) => [address, /<link rel="canonical" href="([^"]*)"/.exec(html)?.[1]]),
    );
    for (const address of [...documents, ...posts, ...lists]) {
      expect(canonicals.get(address)).toBe(publicUrl + address);
      expect(pageAt(address).html).toContain(`<meta property="og:url" content="${publicUrl}${address}"`);
      expect(pageAt(address).html).toContain(`<meta property="og:image" content="${publicUrl}/preview${address}.png"`);
    }
    expect(canonicals.get('/')).toBe(`${publicUrl}/`);
    expect(canonicals.get('/connector?kind=streaming')).toBe(`${publicUrl}/connector`);
    expect(canonicals.get('/404')).toBeUndefined();
    for (const address of ['/', '/pricing?fresh', '/search?q=heartbeat', '/nowhere', '/blog', '/sitemap.xml']) {
      const { text } = await millrace.client
        .get(address)
        .set('Host', 'evil.example')
        .set('X-Forwarded-Host', 'evil.example');
      expect(text.length).toBeGreaterThan(500);
      expect(text).not.toContain('evil.example');
    }
  });

  test('shows no example e-mail address', () => {
    const shown = publicPages.filter((address) => /@\w+\.example/.test(pageAt(address).html));
    expect(shown).toEqual([]);
  });

  test('names its build, so that a tab with an older one notices', () => {
    expect(pageAt('/').html).toMatch(/<meta name="build" content="[0-9a-f]{8}"/);
  });

  test('has a markdown source whose links and pictures exist', async () => {
    const wanted = new Set<string>();
    for (const address of [...documents, ...posts]) {
      const { status, text } = await millrace.client.get(`${address}.md`);
      expect([address, status]).toEqual([address, 200]);
      for (const [, path] of text.matchAll(/\]\(https:\/\/www\.site\.example([^)\s#]*)/g)) wanted.add(path || '/');
    }
    expect(wanted.size).toBeGreaterThan(50);
    for (const path of wanted) expect([path, (await millrace.client.get(path)).status]).toEqual([path, 200]);
  });

  test('has a preview picture', async () => {
    // Drawing is slow, and documents and posts are all drawn alike.
    const drawn = [...lists, '/pricing', firstDocument, posts[0] ?? ''].map((address) => `/preview${address}.png`);
    for (const address of ['/preview/home.png', ...drawn]) {
      const { status, headers } = await millrace.client.get(address);
      expect([address, status, headers['content-type']]).toEqual([address, 200, 'image/png']);
    }
  });

  test('answers HEAD with the headers of GET', async () => {
    const without = ({ date: _date, 'x-request-id': _id, ...headers }: Record<string, string>) => headers;
    for (const address of ['/', firstDocument, posts[0] ?? '', '/blog/tags/ai', '/search?q=grants', '/nowhere']) {
      const get = await millrace.client.get(address).set('Accept-Encoding', 'identity');
      const head = await millrace.client.head(address).set('Accept-Encoding', 'identity');
      expect([address, head.status, head.text ?? '']).toEqual([address, get.status, '']);
      // Pages that are not cached are rendered anew each time.
      const { 'last-modified': made, ...same } = without(get.headers);
      expect(without(head.headers)).toMatchObject(same);
      expect(Number(head.headers['content-length'])).toBe(Buffer.byteLength(get.text));
      expect(head.headers['last-modified'] === undefined).toBe(made === undefined);
    }
  });
});

describe('addresses', () => {
  test('other spellings of an address redirect to it and keep the query', async () => {
    for (const address of [
      '/pricing',
      firstDocument,
      posts[0] ?? '',
      '/blog',
      '/blog/tags/ai',
      '/registerFromMarket',
    ]) {
      for (const ending of ['/', '.html', '/index', '/index.html']) {
        const { status, headers } = await millrace.client.get(`${address}${ending}?a=1&b=%20c`).redirects(0);
        expect([address + ending, status, headers.location]).toEqual([address + ending, 301, `${address}?a=1&b=%20c`]);
      }
    }
  });

  test('/docs redirects to the first document, moved addresses to their new place', async () => {
    const docs = await millrace.client.get('/docs?from=mail').redirects(0);
    expect([docs.status, docs.headers.location]).toEqual([302, `${firstDocument}?from=mail`]);
    const moved = await millrace.client.get('/blog/tech_share/kafka_kafka_sync').redirects(0);
    expect([moved.status, moved.headers.location]).toEqual([301, '/blog/blog/kafka_kafka_sync']);
    // Another spelling of such an address redirects there at once, and is cached for no longer than the plain one.
    for (const spelling of ['/docs/', '/docs/index.html', '/docs.html']) {
      const { status, headers } = await millrace.client.get(`${spelling}?from=mail`).redirects(0);
      expect([spelling, status, headers.location]).toEqual([spelling, 302, `${firstDocument}?from=mail`]);
    }
    const spelled = await millrace.client.get('/blog/tech_share/kafka_kafka_sync/').redirects(0);
    expect([spelled.status, spelled.headers.location]).toEqual([301, '/blog/blog/kafka_kafka_sync']);
    const unknown = await millrace.client.get('/no/such/page/').redirects(0);
    expect([unknown.status, unknown.headers.location]).toEqual([301, '/no/such/page']);
    const last = await millrace.client.get('/docs/releaseNote').redirects(0);
    expect(pageAt(last.headers.location ?? '').status).toBe(200);
  });

  test.each([
    ['/docs/intro/product_archs', '/docs/intro/product_arch'],
    ['/Why', '/why'],
    ['/blog/kafka_kafka_sync', '/blog/blog/kafka_kafka_sync'],
    ['/registr', '/register'],
  ])('%s is not found, and %s is offered instead', async (wanted, near) => {
    const { status, text, headers } = await millrace.client.get(wanted);
    const page = readPage(status, headers['content-type'] ?? '', text);
    expect([status, page.headings]).toEqual([404, ['Page not found']]);
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    expect(main).toContain(wanted);
    expect(main).toContain(`href="${near}"`);
    expect(text).toContain('<meta name="robots" content="noindex"');
    expect(text).not.toContain('rel="canonical"');
  });

  test('security.txt names the security contact', async () => {
    const { text } = await millrace.client.get('/.well-known/security.txt');
    expect(text).toMatch(/^Contact: mailto:security@site\.example$/m);
  });

  test('unknown addresses are not found', async () => {
    const paths = [
      '/blog/authors/nobody',
      '/blog/tags/kafka',
      '/blog/2026',
      '/docs/nothing',
      '/why/more',
      '/constructor',
      '/%3Cscript%3E',
    ];
    for (const path of paths) {
      const { status, text } = await millrace.client.get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toContain('Page not found');
    }
    expect((await millrace.client.get('/%3Cscript%3E')).text).not.toContain('<code>/<script');
  });
});

describe('the content of pages', () => {
  test('every page preloads the font once', () => {
    const fonts = htmlPages.map(([address, { html }]) => [
      address,
      html.match(/<link rel="preload"[^>]* as="font"[^>]*>/g)?.length,
    ]);
    expect(fonts).toEqual(htmlPages.map(([address]) => [address, 1]));
  });

  test('the blog lists every post at once', () => {
    const { links } = pageAt('/blog');
    for (const path of posts) expect(links.filter((link) => link === path).length, path).toBeGreaterThanOrEqual(2);
  });

  test('every blog page has the sidebar of all posts by year', () => {
    const sidebar = /<nav class="sidebar"[\s\S]*?<\/nav>/;
    const years = content.years.map(({ year, posts: cards }) => [year, ...cards.map(({ path }) => path)]);
    expect(years.flat().length).toBeGreaterThan(posts.length);
    for (const address of [...lists, ...posts]) {
      const list = sidebar.exec(pageAt(address).html)?.[0] ?? '';
      const shown = list.split('<summary>').slice(1);
      const found = shown.map((part) => [
        part.slice(0, 4),
        ...Array.from(part.matchAll(/href="([^"]+)"/g), ([, href]) => href),
      ]);
      expect([address, found]).toEqual([address, years]);
    }
  });

  test('tag and author pages list their posts and no others', () => {
    // Beside the sidebar, which has all of them.
    const main = (address: string) => /<div class="reading-text"[\s\S]*<\/main>/.exec(pageAt(address).html)?.[0] ?? '';
    const listed = (address: string) => posts.filter((post) => main(address).includes(`href="${post}"`)).sort();
    const pathsOf = (cards: readonly { path: string }[]) => cards.map(({ path }) => path).sort();
    expect(content.tags.map(({ tag }) => tag.id).sort()).toEqual([
      'ai',
      'announcement',
      'insights',
      'stories',
      'tech_share',
    ]);
    for (const { tag, posts: cards } of content.tags) {
      expect(cards.length).toBeGreaterThan(0);
      expect(listed(`/blog/tags/${tag.id}`)).toEqual(pathsOf(cards));
    }
    for (const { author, posts: cards } of content.authors) {
      expect(listed(`/blog/authors/${author.name}`)).toEqual(pathsOf(cards));
    }
  });

  test('the bar marks the section of the page', () => {
    const marked = (address: string) => {
      const bar = /<ul class="bar-groups">[\s\S]*?<\/header>/.exec(pageAt(address).html)?.[0] ?? '';
      return [...bar.slice(0, bar.indexOf('bar-end')).matchAll(/data-section="(\w+)" data-current/g)].map(
        (match) => match[1],
      );
    };
    expect(['/', '/why', '/connector'].map(marked)).toEqual([['product'], ['product'], ['product']]);
    expect(['/solution1', '/solution2'].map(marked)).toEqual([['solutions'], ['solutions']]);
    expect(['/blog/tags/ai', firstDocument].map(marked)).toEqual([['resources'], ['resources']]);
    expect(['/pricing', '/about'].map(marked)).toEqual([['pricing'], ['about']]);
    expect(['/login', '/search', '/404', '/markdown-page'].map(marked)).toEqual([[], [], [], []]);
  });

  test('a catalogue filter and a connection target change the page', () => {
    const all = pageAt('/connector');
    const streams = pageAt('/connector?kind=streaming');
    expect(streams.words).toBeLessThan(all.words);
    const plain = pageAt('/docs/dataMigrationAndSync/connection/mysql');
    const paired = pageAt('/docs/dataMigrationAndSync/connection/mysql?target=kafka');
    expect(paired.words).toBeGreaterThan(plain.words);
    expect(paired.headings).toEqual(plain.headings);
  });

  test('search finds a word of a document, and says when there is no result', async () => {
    const { links, words } = pageAt('/search?q=binlog');
    expect(links.filter((link) => link.startsWith('/docs/')).length).toBeGreaterThan(3);
    expect(words).toBeGreaterThan(60);
    const none = await millrace.client.get('/search?q=zzzzqqqq');
    expect(none.text).toContain('zzzzqqqq');
    expect(readPage(200, 'text/html', none.text).words).toBeLessThan(words);
  });
});

test('the build has compressed every script and style sheet of 256 bytes or more', () => {
  const folder = 'dist/client/assets';
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const large = names.filter((name) => /\.(js|css)$/.test(name) && statSync(join(folder, name)).size >= 256);
  expect(large.length).toBeGreaterThan(10);
  for (const name of large) {
    const file = readFileSync(join(folder, name));
    const compressed = readFileSync(join(folder, `${name}.br`));
    expect([name, brotliDecompressSync(compressed).equals(file)]).toEqual([name, true]);
  }
});

/** Names in the code itself, which are the same under every brand, and the directive's spelling. */
const namesOfCode =
  /<code translate="no">:brand<\/code>|\bmillrace\\?_|MILLRACE_[A-Z]+|npm run (?:--silent )?millrace --|<(?:code(?: translate="no")?|span class="tok-string")>millrace<|`millrace`|SCHEMA millrace\b/g;
const withoutCode = (text: string) => text.replaceAll(namesOfCode, '');

test('under the other brand nothing on the site says Millrace or shows a brand directive', async () => {
  const penstock = await openSite('penstock');
  const generatedFiles = [
    '/llms-full.txt',
    '/blog/rss.xml',
    '/blog/atom.xml',
    '/blog/feed.json',
    '/search.json?q=console',
  ];
  const wrong: string[] = [];
  for (const address of [...everyPage, ...generatedFiles]) {
    const { status, text } = await penstock.client.get(address);
    const expected = address === '/404' ? 404 : 200;
    const named = text.includes('Penstock') || address.startsWith('/search.json');
    if (status !== expected || !named || /millrace|:brand/i.test(withoutCode(text)))
      wrong.push(`${address}: ${status} ${/.{0,30}(?:millrace|:brand).{0,30}/i.exec(withoutCode(text))?.[0]}`);
  }
  expect(wrong).toEqual([]);
});

test("the operator's e-mail addresses are shown", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-brand-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  for (const name of ['brand', 'docs']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'docs/a.md'), '# A\n');
  const brand = readFileSync('content/brand/millrace.yml', 'utf8').replaceAll('@millrace.example', '@mill.test');
  writeFileSync(join(folder, 'brand/millrace.yml'), brand);
  const { client } = await openSite('millrace', { CONTENT_DIR: folder });
  const mailTo = async (address: string) =>
    readPage(200, 'text/html', (await client.get(address)).text)
      .links.filter((link) => link.startsWith('mailto:'))
      .map((link) => link.slice('mailto:'.length, -'@mill.test'.length));
  expect(await mailTo('/about')).toEqual(['support', 'sales', 'privacy', 'security', 'support']);
  expect(await mailTo('/pricing')).toEqual(['sales', 'support']);
  expect(await mailTo('/connector?q=none')).toEqual(['support', 'support']);
  expect(await mailTo('/login')).toEqual(['support']);
});
