import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, test } from 'vitest';
import type { Navigation } from '../../client/contract/site.ts';
import { readSiteConfig } from '../config/site.ts';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { loadSite } from './load.ts';

test('a content folder without documents and posts is refused by name', async () => {
  // One exists and holds neither; the other does not exist.
  for (const folder of [import.meta.dirname, join(import.meta.dirname, 'nowhere')]) {
    const config = readSiteConfig({ CONTENT_DIR: folder });
    await expect(loadSite(config, pino({ level: 'silent' }), false)).rejects.toThrow(
      `There is no content in ${folder}:`,
    );
  }
});

const folder = testFolder('load');

/** Loads a content folder as the development server does, which needs no built pages. */
function loaded(name: string, files: Record<string, string>, strict: boolean) {
  writeFiles(join(folder, name), files);
  const settings = {
    CONTENT_DIR: join(folder, name),
    DATA_DIR: join(folder, 'data'),
    STRICT_CONTENT: strict ? 'on' : 'off',
  };
  return loadSite(readSiteConfig(settings), pino({ level: 'silent' }), true);
}

test('STRICT_CONTENT ends the start for a fault in a data file alone, and names its place', async () => {
  const files = { 'docs/a.md': '# A\n', 'redirects.yml': '/old: https://elsewhere.example/\n' };
  const site = await loaded('lenient', files, false);
  expect(site.content().faults).toEqual([]);
  await site.close();
  await expect(loaded('strict', files, true)).rejects.toThrow(
    /STRICT_CONTENT is on:\n.*redirects\.yml\n.*1:7 .*must be an address of this site/s,
  );
});

test('STRICT_CONTENT ends the start for a link out of the content folder', async () => {
  writeFiles(join(folder, 'linked'), { 'docs/a.md': '# A\n' });
  symlinkSync('/proc/self/environ', join(folder, 'linked/docs/environ.md'));
  await expect(loaded('linked', {}, true)).rejects.toThrow(/docs\/environ\.md\n.*leads out of the content folder/);
});

test('a static folder that leads out of the content is not served', async () => {
  writeFiles(join(folder, 'static'), { 'docs/a.md': '# A\n' });
  symlinkSync(folder, join(folder, 'static/static'));
  const site = await loaded('static', {}, false);
  expect(site.staticDirs).toEqual([expect.stringMatching(/content\/static$/)]);
  await site.close();
});

describe('the shell fits', () => {
  const links = ({ bar, footer }: Navigation) => ({
    bar: bar.flatMap(({ href, items }) => items?.map((item) => item.href) ?? [href]),
    footer: footer.flatMap((column) => column.links.map(({ href }) => href)),
  });
  const bySite = ['/', '/why', '/connector', '/solution1', '/solution2'];

  test('documents of others: what names ours is not shown, Documents are found at /docs', async () => {
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

  test('posts alone: there are no Documents; a document that comes is shown', async () => {
    const own = {
      'blog/a.md': '---\ntitle: A\ndate: 2024-01-01\ntags: [t]\nauthors: [x]\n---\n',
      'navigation.yml':
        'bar:\n  - { id: about, label: Old, href: /old?a=1#b }\n  - id: resources\n    label: Resources\n    items: ' +
        '[{ label: Documents, href: /docs/intro/product_intro, description: d }]\nfooter: ' +
        '[{ title: Feeds, links: [{ label: RSS, href: /blog/rss.xml }, { label: T, href: /blog/tags/t }, { label: S, href: /docs/b.md }] }]\n',
      'redirects.yml': '/old: /blog/a#top\n/docs/older: /docs/b\n',
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
    expect(await site.findPage('/docs/older', new URLSearchParams())).toMatchObject({ status: 301, to: '/docs/b' });
    await site.close();
  });
});
