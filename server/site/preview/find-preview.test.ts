import { expect, test } from 'vitest';
import { readSiteData } from '../../content/data/site-data.ts';
import { tinyContent } from '../../testing/tiny-content.ts';
import { SearchIndex } from '../search/search-index.ts';
import { listUrls } from '../urls.ts';
import { drawCard } from './card.ts';
import { findPreview } from './find-preview.ts';

const { data } = readSiteData('content', 'content', 'millrace');
const tiny = tinyContent();
const mysql = '/docs/connection/mysql';
const docs = new Map([...tiny.docs].map(([path, doc]) => [path, path === mysql ? doc : { ...doc, breadcrumbs: [] }]));
const content = { ...tiny, docs };
const urls = listUrls({ content, data, history: { updated: new Map() }, search: () => SearchIndex.build(content) });
const find = (path: string) => findPreview(path, { urls, content, data });

test.each([
  [mysql, 'MySQL', 'Guides'],
  // At the top of the folder.
  ['/docs/intro/product_intro', 'Overview', 'Documents'],
  ['/blog/ai/second', 'Second post', 'Blog'],
  ['/blog', urls.get('/blog')?.meta.title ?? '', data.brand.domain],
  ['/home', urls.get('/')?.meta.title ?? '', data.brand.domain],
])('the picture of %s shows its title below its section', async (path, title, section) => {
  const picture = await find(`/preview${path}.png`)?.body();
  expect(picture).toEqual(await drawCard({ title, section, brand: data.brand }));
});

test('a picture is cached for a day, by its address', () => {
  expect(find('/preview/pricing.png')).toMatchObject({
    route: '/preview/*',
    type: 'image/png',
    cacheKey: '/preview/pricing.png',
    cacheControl: 'public, max-age=86400',
  });
});

test.each([
  '/preview/.png',
  '/preview/pricing',
  '/preview/pricing.png/more',
  '/more/preview/pricing.png',
  '/pricing.png',
])('%s is not a picture', (path) => {
  expect(find(path)).toBeUndefined();
});
