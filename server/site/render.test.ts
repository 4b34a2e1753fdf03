import { join } from 'node:path';
import pino from 'pino';
import { afterAll, expect, test, vi } from 'vitest';
import { readSiteConfig } from '../config/site.ts';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { loadSite } from './load.ts';

// The built pages; `npm test` builds before. React and Vike as an operator runs them.
vi.stubEnv('NODE_ENV', 'production');
afterAll(() => void vi.unstubAllEnvs());

const folder = testFolder('render');
writeFiles(folder, { 'content/docs/a.md': '# A\n' });
const config = readSiteConfig({ CONTENT_DIR: join(folder, 'content'), DATA_DIR: join(folder, 'data') });

test('a page that crashes is an error, and the page that says so has the number of the request', async () => {
  const site = await loadSite(config, pino({ level: 'silent' }), false);
  const found = await site.findPage('/pricing', new URLSearchParams());
  if (found.kind !== 'page') throw new Error('/pricing shows no page.');
  expect((await site.render(found, site.site, 'id')).html).toContain('<h1');
  // Vike says it as well.
  const said = vi.spyOn(console, 'error').mockReturnValue();
  await expect(site.render({ ...found, props: {} }, site.site, 'id')).rejects.toThrow(TypeError);
  expect(said).toHaveBeenCalled();
  said.mockRestore();

  const { status, html } = await site.renderCrash(site.site, 'request-7');
  expect(status).toBe(500);
  expect(html).toContain('<code>request-7</code>');
  expect(html).toMatch(/<title>This page crashed\.[^<]*<\/title>/);
  expect(html).toContain('<meta name="robots" content="noindex"');
  expect(html).toContain('<meta name="description" content="The server could not draw this page."');
  expect(html).not.toContain('rel="canonical"');
  await site.close();
});
