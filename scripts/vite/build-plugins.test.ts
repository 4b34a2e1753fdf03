import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { afterAll, expect, test } from 'vitest';
import { englishCharts } from './english-charts.ts';
import { noVikeClient } from './no-vike-client.ts';
import { smallPreload } from './small-preload.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-vite-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const [name, code] of Object.entries({
  'lazy.js': "import('./part.js');\n",
  'part.js': "import './part.css';\nexport const part = document.title;\n",
  'part.css': 'a { color: red }\n',
  'plain.js': 'document.title = "a";\n',
  'uPlot.esm.js': "document.title = new Intl.NumberFormat(domEnv ? nav.language : 'en-US').format(1);\n",
  'unused.js': 'document.title = "never";\n',
})) {
  writeFileSync(join(folder, name), code);
}

/** Builds entries with one plugin, in memory. @returns all code, by file name */
async function codeOf(plugin: Plugin, input: Record<string, string>): Promise<string> {
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [plugin],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, join(folder, file)])),
      },
    },
  });
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return outputs.map((one) => (one.type === 'chunk' ? one.code : '')).join('\n');
}

test('lazy imports run the small helper', async () => {
  const code = await codeOf(smallPreload(), { lazy: 'lazy.js' });
  expect(code).toContain('document.head.append');
  expect(code).not.toContain('modulepreload');
});

test('a build in which nothing asked for the helper ends', async () => {
  await expect(codeOf(smallPreload(), { plain: 'plain.js' })).rejects.toThrow(/no longer uses vite\/preload-helper/);
});

test("Vike's code for whole pages is left out", async () => {
  const code = await codeOf(noVikeClient(), { plain: 'plain.js', 'entries/entry-server-routing': 'unused.js' });
  expect(code).toMatch(/title\s*=/);
  expect(code).not.toContain('never');
});

test('a build without that code ends', async () => {
  await expect(codeOf(noVikeClient(), { plain: 'plain.js' })).rejects.toThrow(
    /no longer builds 'entries\/entry-server-routing'/,
  );
});

test('numbers of charts are English whatever the browser speaks', async () => {
  const code = await codeOf(englishCharts(), { chart: 'uPlot.esm.js' });
  expect(code).toContain('en-US');
  expect(code).not.toContain('.language');
});

test('a build whose charts ask in other words ends', async () => {
  await expect(codeOf(englishCharts(), { plain: 'plain.js' })).rejects.toThrow(/language of its numbers/);
});
