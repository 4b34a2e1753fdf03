import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
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
