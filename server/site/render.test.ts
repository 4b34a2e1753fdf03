import { join } from 'node:path';
import pino from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { readSiteConfig } from '../config/site.ts';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { loadSite } from './load.ts';

// The built pages; `npm test` builds before. React and Vike run as in production.
vi.stubEnv('NODE_ENV', 'production');

const folder = testFolder('render');
writeFiles(folder, { 'content/docs/a.md': '# A\n' });
const config = readSiteConfig({ CONTENT_DIR: join(folder, 'content'), DATA_DIR: join(folder, 'data') });
const site = await loadSite(config, pino({ level: 'silent' }), false);

afterAll(async () => {
  vi.unstubAllEnvs();
  await site.close();
});

async function pageAt(path: string) {
  const found = await site.findPage(path, new URLSearchParams());
  if (found.kind !== 'page') throw new Error(`${path} shows no page.`);
  return found;
}

test.each(['/', '/pricing', '/nowhere'])('%s is rendered by its own component, with its status', async (path) => {
  const page = await pageAt(path);
  const { status, html } = await site.render(page, site.site, 'id');
  expect(status).toBe(path === '/nowhere' ? 404 : 200);
  expect(/<title>([^<]*)/.exec(html)?.[1]).toContain(page.meta.title);
});

test('a page that crashes is an error, and the crash page has the request ID', async () => {
  // Vike logs it as well.
  const said = vi.spyOn(console, 'error').mockReturnValue();
  const page = await pageAt('/pricing');
  await expect(site.render({ ...page, props: {} }, site.site, 'id')).rejects.toThrow(TypeError);
  expect(said).toHaveBeenCalled();
  said.mockRestore();

  const { status, html } = await site.renderCrash(site.site, 'request-7');
  expect(status).toBe(500);
  expect(html).toContain('<code>request-7</code>');
  expect(html).toMatch(/<title>This page crashed\.[^<]*<\/title>/);
  expect(html).toContain('<meta name="robots" content="noindex"');
  expect(html).toContain('<meta name="description" content="The server could not draw this page."');
  expect(html).not.toContain('rel="canonical"');
});
