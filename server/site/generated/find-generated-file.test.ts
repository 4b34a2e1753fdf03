import { describe, expect, test } from 'vitest';
import type { Site } from '../../../client/contract/site.ts';
import { readSiteData } from '../../content/data/site-data.ts';
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

describe('for machines', () => {
  test('the sitemap holds documents and posts, and nothing that is noindex', async () => {
    const xml = await body('/sitemap.xml');
    expect(xml).toContain('<loc>https://site.example/docs/connection/mysql</loc>');
    expect(xml).toContain('<loc>https://site.example/login</loc>');
    for (const path of ['/loading', '/resetPwd', '/registerFromMarket', '/404', '/blog/tags', '/console'])
      expect(xml).not.toContain(`example${path}<`);
  });

  test('robots.txt names the sitemap', async () => {
    expect(await body('/robots.txt')).toContain('Sitemap: https://site.example/sitemap.xml');
  });

  test.each(['/blog/rss.xml', '/blog/atom.xml', '/blog/feed.json'])(
    '%s holds the posts by absolute address',
    async (path) => {
      expect(await body(path)).toContain('https://site.example/blog/ai/second');
    },
  );

  test.each([
    ['/blog/rss.xml', '<category>C &lt; D &amp; "E"</category>'],
    ['/blog/atom.xml', '<category label="C &lt; D &amp; &quot;E&quot;" term="c"/>'],
    ['/blog/feed.json', JSON.stringify('C < D & "E"')],
  ])('%s writes a tag as its format asks', async (path, written) => {
    const [first] = content.posts.values();
    const post = first && { ...first, tags: [{ id: 'c', label: 'C < D & "E"', description: '' }] };
    const tagged = { ...content, posts: new Map(post && [[post.path, post]]) };
    const found = findGeneratedFile(path, new URLSearchParams(), { ...sources, content: tagged });
    expect(await found?.body()).toContain(written);
  });

  test('llms.txt links to markdown, llms-full.txt holds it', async () => {
    expect(await body('/llms.txt')).toContain('(https://site.example/docs/connection/mysql.md)');
    expect(await body('/llms-full.txt')).toContain('Source of /docs/connection/mysql');
  });

  test('a document answers as markdown at its address + .md; an unknown one does not', async () => {
    expect(await body('/docs/connection/mysql.md')).toBe('Source of /docs/connection/mysql');
    expect(findGeneratedFile('/docs/none.md', new URLSearchParams(), sources)).toBeUndefined();
  });

  test('search.json answers hits', async () => {
    expect(JSON.parse(await body('/search.json', 'q=replication'))).toMatchObject({
      results: [{ heading: 'Grants' }, {}, {}, {}, {}],
    });
    expect(JSON.parse(await body('/search.json'))).toEqual({ results: [] });
  });
});
