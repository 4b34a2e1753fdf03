import { join } from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { readSiteConfig } from '../config/site.ts';
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
