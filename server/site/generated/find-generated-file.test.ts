import { describe, expect, test } from 'vitest';
import type { Site } from '../../../client/contract/site.ts';
import { readSiteData } from '../../content/data/site-data.ts';
import { HttpError } from '../../http/errors.ts';
import { tinyContent } from '../../testing/tiny-content.ts';
import { SearchIndex } from '../search/search-index.ts';
import { listUrls } from '../urls.ts';
import { findGeneratedFile } from './find-generated-file.ts';

const content = tinyContent();
const { data } = readSiteData('content', 'content', 'millrace');
const site: Site = {
  brand: data.brand,
  navigation: data.navigation,
  closing: data.texts.closing,
  publicUrl: 'https://site.example',
  cloudAppUrl: 'https://site.example/console',
  icon: '/favicon.svg',
  deploySite: '',
  capabilities: { card: false, oidcName: 'single sign-on' },
  plainPassword: false,
  dataLayer: false,
  build: 'b',
};
const index = SearchIndex.build(content);
const search = () => index;
const urls = listUrls({ content, data, history: { updated: new Map() }, search });
const sources = { content, site, urls, search };

async function body(path: string, query = ''): Promise<string> {
  const found = findGeneratedFile(path, new URLSearchParams(query), sources);
  if (!found) throw new Error(`${path} answers nothing`);
  return String(await found.body());
}

describe('generated files', () => {
  test('the sitemap contains documents and posts, but no noindex pages', async () => {
    const xml = await body('/sitemap.xml');
    expect(xml).toContain('<loc>https://site.example/docs/connection/mysql</loc>');
    expect(xml).toContain('<loc>https://site.example/login</loc>');
    expect(xml).toContain(
      '<loc>https://site.example/docs/releaseNote/rn-0-1-0</loc><lastmod>2024-10-31</lastmod></url>',
    );
    expect(xml).toContain('<url><loc>https://site.example/pricing</loc></url>\n<url>');
    // As an XML reader requests it.
    expect(xml).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="http:\/\/www\.sitemaps\.org\/schemas\/sitemap\/0\.9">\n<url>/,
    );
    expect(xml).toMatch(/<\/url>\n<\/urlset>\n$/);
    for (const path of ['/loading', '/resetPwd', '/registerFromMarket', '/404', '/blog/tags', '/console'])
      expect(xml).not.toContain(`example${path}<`);
  });

  test('robots.txt names the sitemap', async () => {
    expect(await body('/robots.txt')).toBe(
      'User-agent: *\nDisallow: /console\n\nSitemap: https://site.example/sitemap.xml\n',
    );
  });

  test.each(['/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json'])(
    '%s contains the posts with absolute addresses',
    async (path) => {
      expect(await body(path)).toContain('https://site.example/blog/ai/second');
    },
  );

  test('the feeds contain the same about the blog and each post', async () => {
    const { title, home_page_url, feed_url, items } = JSON.parse(await body('/blog/feed.json'));
    const name = data.brand.name;
    expect([title, home_page_url, feed_url]).toEqual([
      `${name} blog`,
      'https://site.example/blog',
      'https://site.example/blog/feed.json',
    ]);
    expect(items).toHaveLength(2);
    expect(items[0]).toMatchObject({
      id: 'https://site.example/blog/ai/second',
      url: 'https://site.example/blog/ai/second',
      title: 'Second post',
      content_text: 'About Second post',
      date_modified: '2025-02-01T00:00:00.000Z',
      date_published: '2025-02-01T00:00:00.000Z',
      author: { name: 'Desk', url: 'https://site.example/blog/authors/desk' },
      tags: ['AI'],
    });

    const rss = await body('/blog/rss.xml');
    for (const written of [
      `<title>${name} blog</title>`,
      '<link>https://site.example/blog</link>',
      `<description>${data.brand.description}</description>`,
      '<language>en</language>',
      `<copyright>${data.brand.legalName}</copyright>`,
      '<lastBuildDate>Sat, 01 Feb 2025 00:00:00 GMT</lastBuildDate>',
      '<atom:link href="https://site.example/blog/rss.xml" rel="self" type="application/rss+xml"/>',
      '<guid isPermaLink="false">https://site.example/blog/ai/second</guid>',
      '<pubDate>Sat, 01 Feb 2025 00:00:00 GMT</pubDate>',
    ])
      expect(rss).toContain(written);

    const atom = await body('/blog/atom.xml');
    for (const written of [
      '<id>https://site.example/blog</id>',
      '<updated>2025-02-01T00:00:00.000Z</updated>',
      '<link rel="self" href="https://site.example/blog/atom.xml"/>',
      '<icon>https://site.example/favicon-millrace.svg</icon>',
      '<name>Desk</name>',
      '<uri>https://site.example/blog/authors/desk</uri>',
      '<published>2025-02-01T00:00:00.000Z</published>',
    ])
      expect(atom).toContain(written);
  });

  test('a blog without posts has feeds that never change', async () => {
    const empty = { ...sources, content: { ...content, posts: new Map() } };
    const found = findGeneratedFile('/blog/atom.xml', new URLSearchParams(), empty);
    expect(await found?.body()).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
  });

  test.each([
    ['/blog/rss.xml', '<category>C &lt; D &amp; "E"</category>'],
    ['/blog/atom.xml', '<category label="C &lt; D &amp; &quot;E&quot;" term="c-d"/>'],
    ['/blog/feed.json', JSON.stringify('C < D & "E"')],
  ])('%s escapes tags as its format requires', async (path, written) => {
    const [first] = content.posts.values();
    const post = first && { ...first, tags: [{ id: 'c-d', label: 'C < D & "E"', description: '' }] };
    const tagged = { ...content, posts: new Map(post && [[post.path, post]]) };
    const found = findGeneratedFile(path, new URLSearchParams(), { ...sources, content: tagged });
    expect(await found?.body()).toContain(written);
  });

  test.each([
    ['/blog/rss.xml', '<title><![CDATA[Read <b> & c\ufffd]]></title>', '<description><![CDATA[If 1 &lt; 2 &amp; 3]]>'],
    [
      '/blog/atom.xml',
      '<title type="html"><![CDATA[Read &lt;b&gt; &amp; c\ufffd]]></title>',
      '<summary type="html"><![CDATA[If 1 &lt; 2 &amp; 3]]>',
    ],
  ])('%s escapes plain text and removes characters that XML forbids', async (path, title, description) => {
    const [first] = content.posts.values();
    const odd = first && { ...first, title: 'Read\b <b> & c\u0000\ud800', description: 'If 1 < 2 & 3\u001b\uffff' };
    const written = { ...content, posts: new Map(odd && [[odd.path, odd]]) };
    const xml = String(await findGeneratedFile(path, new URLSearchParams(), { ...sources, content: written })?.body());
    expect(xml).toContain(title);
    expect(xml).toContain(description);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it searches for.
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
  });

  test.each(['/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json'])(
    '%s contains a post without an author',
    async (path) => {
      const [first] = content.posts.values();
      const post = first && { ...first, authors: [] };
      const unsigned = { ...content, posts: new Map(post && [[post.path, post]]) };
      const found = findGeneratedFile(path, new URLSearchParams(), { ...sources, content: unsigned });
      expect(await found?.body()).toContain(first?.title);
    },
  );

  test('each file has its media type, and all but search results are cached', () => {
    const told = (path: string) => findGeneratedFile(path, new URLSearchParams(), sources);
    const types = {
      '/sitemap.xml': 'application/xml',
      '/robots.txt': 'text/plain',
      '/blog/rss.xml': 'application/rss+xml',
      '/blog/atom.xml': 'application/atom+xml',
      '/blog/feed.json': 'application/feed+json',
      '/llms.txt': 'text/plain',
      '/llms-full.txt': 'text/plain',
      '/openapi.yaml': 'application/yaml',
    };
    for (const [path, type] of Object.entries(types)) {
      expect(told(path)).toMatchObject({ route: path, type: `${type}; charset=utf-8`, cacheKey: path });
      expect(told(path)).not.toHaveProperty('ready');
    }
    const { ready, ...answer } = told('/search.json') ?? {};
    expect(ready?.()).toBe(index);
    expect(answer).toMatchObject({ type: 'application/json; charset=utf-8' });
    expect(answer).not.toHaveProperty('cacheKey');
  });

  test('openapi.yaml contains the API description', async () => {
    expect(await body('/openapi.yaml')).toMatch(/^(#.*\n)*openapi: /);
  });

  const described = `# ${data.brand.name}\n\n> ${data.brand.description}\n`;

  test('llms.txt lists documents by sidebar group, and posts', async () => {
    const [first, second, third] = content.docs.values();
    if (!first || !second || !third) throw new Error('The tiny content has three documents.');
    const sidebar = [
      { label: 'Start', href: first.path, items: [{ label: 'Deeper', items: [{ label: 'M', href: second.path }] }] },
      {
        label: 'Notes',
        items: [
          { label: 'N', href: third.path },
          { label: 'Elsewhere', href: '/pricing' },
        ],
      },
    ];
    const docs = new Map(content.docs).set(third.path, { ...third, description: '' });
    const found = findGeneratedFile('/llms.txt', new URLSearchParams(), {
      ...sources,
      content: { ...content, docs, sidebar },
    });
    const at = 'https://site.example';
    expect(await found?.body()).toBe(
      `${described}
## Start

- [Overview](${at}/docs/intro/product_intro.md): About Overview
- [MySQL](${at}/docs/connection/mysql.md): About MySQL

## Notes

- [Release 0.1.0](${at}/docs/releaseNote/rn-0-1-0.md)

## Blog

- [Second post](${at}/blog/ai/second.md): About Second post
- [First post](${at}/blog/blog/first.md): About First post
`,
    );
  });

  test('llms-full.txt contains every document and post below its address', async () => {
    const paths = [...content.docs.keys(), ...content.posts.keys()];
    const parts = paths.map((path) => `Source: https://site.example${path}\n\nSource of ${path}`);
    expect(await body('/llms-full.txt')).toBe([described, ...parts].join('\n\n---\n\n'));
  });

  test('llms-full.txt leaves out pages whose file was deleted, and fails on other errors', async () => {
    const [gone] = [...content.docs.keys()];
    const without = (code: 'NOT_FOUND' | 'INTERNAL') => ({
      ...sources,
      content: {
        ...content,
        source: (path: string, origin: string) =>
          path === gone ? Promise.reject(new HttpError(code)) : content.source(path, origin),
      },
    });
    const told = (code: 'NOT_FOUND' | 'INTERNAL') =>
      findGeneratedFile('/llms-full.txt', new URLSearchParams(), without(code))?.body();
    const whole = await body('/llms-full.txt');
    expect(await told('NOT_FOUND')).toBe(whole.replace(/\n\n---\n\nSource: .*?(?=\n\n---\n\n)/s, ''));
    await expect(told('INTERNAL')).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  test('the markdown of a document is at its address + .md', async () => {
    expect(await body('/docs/connection/mysql.md')).toBe('Source of /docs/connection/mysql');
    expect(await body('/blog/ai/second.md')).toBe('Source of /blog/ai/second');
    const found = findGeneratedFile('/docs/connection/mysql.md', new URLSearchParams(), sources);
    expect(found).toMatchObject({
      route: '/*.md',
      type: 'text/markdown; charset=utf-8',
      cacheKey: '/docs/connection/mysql.md',
    });
    for (const path of [
      '/docs/none.md',
      '/docs/connection/mysql',
      '/docs/connection/mysql.mdx',
      '/docs/connection/mysql-md',
      '/pricing.md',
    ])
      expect(findGeneratedFile(path, new URLSearchParams(), sources)).toBeUndefined();
  });

  test('search.json contains the search results', async () => {
    expect(JSON.parse(await body('/search.json', 'q=replication'))).toMatchObject({
      results: [{ heading: 'Grants' }, {}, {}, {}, {}],
    });
    // For a request without a query.
    expect(JSON.parse(await body('/search.json'))).toEqual({ results: [] });
  });
});
