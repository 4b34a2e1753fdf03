import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { sectionOf } from '../../client/contract/section.ts';
import { readSiteData } from '../content/data/site-data.ts';
import { tinyContent } from '../testing/tiny-content.ts';
import { sitemap } from './generated/sitemap.ts';
import { findPreview } from './preview/find-preview.ts';
import type { SiteSources } from './props/site-sources.ts';
import { SearchIndex } from './search/search-index.ts';
import { fixedPaths, listUrls } from './urls.ts';

const { data } = readSiteData('content', 'content', 'millrace');

function urlsOf(content = tinyContent()) {
  const sources: SiteSources = {
    content,
    data,
    history: { updated: new Map() },
    search: () => SearchIndex.build(content),
  };
  return listUrls(sources);
}

test('every page component has an address, and every address a component', () => {
  const folders = readdirSync('pages', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('+Page.tsx'))
    .map((file) => dirname(file))
    .filter((folder) => folder !== '_error');
  expect([...new Set([...urlsOf().values()].map(({ folder }) => folder))].sort()).toEqual(folders.sort());
});

test('titles and descriptions are filled in', () => {
  for (const { path, meta } of urlsOf().values()) {
    expect([path, meta.title, meta.description]).toEqual([
      path,
      expect.stringMatching(/^[^{}]+$/),
      expect.stringMatching(/^[^{}]+$/),
    ]);
  }
  expect(urlsOf().get('/blog/tags/ai')?.meta).toMatchObject({
    title: 'AI on the blog',
    description: 'Posts tagged AI.',
  });
  // Planned systems are never counted.
  expect(urlsOf().get('/connector')?.meta.description).not.toMatch(/\d/);
});

test('the bar links to pages of its sections, and only blog lists are in one besides them', () => {
  const linked = data.navigation.bar.flatMap(({ id, href, items }) =>
    [...(items ?? []), ...(href ? [{ href }] : [])].map((link) => [link.href, id]),
  );
  expect(linked.map(([path = '']) => [path, sectionOf(path)])).toEqual(linked);
  const inBar = new Set(linked.map(([path]) => path));
  const others = fixedPaths.filter((path) => !inBar.has(path) && sectionOf(path) !== undefined);
  expect(others).toEqual(['/blog/archive', '/blog/authors', '/blog/tags']);
});

test('a broken document is served, but not indexed', () => {
  const content = tinyContent();
  const [first, second] = [...content.docs.values()];
  if (!first || !second) throw new Error('The tiny content has two documents.');
  const broken = new Map(content.docs).set(first.path, { ...first, broken: ['No end.'] });
  const urls = urlsOf({ ...content, docs: broken });
  expect(urls.get(first.path)?.meta.indexed).toBe(false);
  const xml = sitemap(urls, 'https://site.example');
  expect(xml).toContain(`<loc>https://site.example${second.path}</loc>`);
  expect(xml).not.toContain(first.path);
});

test('a noindex page has neither a preview picture nor a canonical address', () => {
  const urls = urlsOf();
  const preview = (path: string) => findPreview(path, { urls, content: tinyContent(), data });
  for (const path of ['/loading', '/resetPwd', '/search', '/404']) {
    expect(urls.get(path)?.meta).toMatchObject({ indexed: false });
    expect(urls.get(path)?.meta).not.toHaveProperty('canonical');
    expect(preview(`/preview${path}.png`)).toBeUndefined();
  }
  for (const path of ['/home', '/pricing', '/docs/connection/mysql', '/blog/tags/ai'])
    expect(preview(`/preview${path}.png`)).toMatchObject({ type: 'image/png' });
  expect(preview('/preview/nowhere.png')).toBeUndefined();
});

test('only pages with a preview have a canonical address, which is encoded', () => {
  const content = tinyContent();
  const [first] = content.docs.values();
  if (!first) throw new Error('The tiny content has no document.');
  const path = '/docs/größe & mehr';
  const urls = urlsOf({ ...content, docs: new Map([...content.docs, [path, { ...first, path }]]) });
  expect(urls.get(path)).toMatchObject({
    route: '/docs/*',
    preview: true,
    meta: { canonical: '/docs/gr%C3%B6%C3%9Fe%20%26%20mehr', indexed: true },
  });
  const withPreview = [...urls.values()].filter(({ preview }) => preview);
  expect(withPreview.length).toBeGreaterThan(5);
  expect([...urls.values()].filter(({ meta }) => meta.canonical !== undefined)).toEqual(withPreview);
  expect(urls.get('/404')).toMatchObject({ preview: false, meta: { indexed: false } });
});

test('a page has the date of its content, or none', () => {
  const urls = urlsOf();
  expect(urls.get('/blog/ai/second')?.date).toBe('2025-02-01');
  expect(urls.get('/why')).not.toHaveProperty('date');
});

test('an address without a title is reported with the file that lacks it', () => {
  const content = tinyContent();
  const titles = new Map([...data.titles].filter(([path]) => path !== '/why'));
  const sources = {
    content,
    data: { ...data, titles },
    history: { updated: new Map<string, string>() },
    search: () => SearchIndex.build(content),
  };
  expect(() => listUrls(sources)).toThrow('pages/titles.yml has no title for /why.');
});
