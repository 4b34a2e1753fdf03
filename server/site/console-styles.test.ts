import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import request from 'supertest';
import { expect, test } from 'vitest';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';
import { libraryStyles } from './console-styles.ts';

const attribute = 'data-react-aria-pressable';

/** Every text that a library file puts into a style element that it creates. */
function stylesIn(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  const made = source.match(/createElement\(['"]style['"]\)/g)?.length ?? 0;
  const texts = [...source.matchAll(/\.textContent = `([^`]*)`\.trim\(\)/g)].map(([, text = '']) =>
    text.replace(/\$\{[^}]*PRESSABLE_ATTRIBUTE\}/g, attribute).trim(),
  );
  expect(texts, file).toHaveLength(made);
  return texts;
}

test('the styles that the console allows are those that the library creates', () => {
  const files = globSync('node_modules/{react-aria,react-aria-components,react-stately}/dist/**/*.mjs');
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(stylesIn).sort()).toEqual([...libraryStyles].sort());
});

test('only the console allows them, by hash', async () => {
  const client = request(createServer(createApp(stubServices()).listener));
  const policyOf = async (path: string) => String((await client.get(path)).headers['content-security-policy']);
  const hashes = libraryStyles.map((style) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  const expected = `style-src 'self' ${hashes.join(' ')};`;
  expect(await policyOf('/console')).toContain(expected);
  expect(await policyOf('/console/orders')).toContain(expected);
  expect(await policyOf('/why')).toContain("style-src 'self';");
  expect(await policyOf('/consoles')).toContain("style-src 'self';");
});
