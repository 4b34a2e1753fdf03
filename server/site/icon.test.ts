import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { iconOf } from './icon.ts';

const folder = testFolder('icon');
writeFiles(folder, {
  'own/favicon-a.svg': '<svg xmlns="http://www.w3.org/2000/svg">\n  <path d="M0 0h9" stroke="#fff"/>\n</svg>\n',
  'built/favicon-a.svg': '<svg/>',
  'built/favicon-d.svg': '<svg/>',
  'built/favicon-b.svg': `<svg>${' '.repeat(2000)}</svg>`,
});
const folders = [join(folder, 'own'), join(folder, 'built')];

test("the operator's icon takes precedence and is inlined unchanged", () => {
  const address = iconOf('a', folders);
  expect(address).toMatch(/^data:image\/svg\+xml,[^<>"#\n]+$/);
  expect(decodeURIComponent(address.replace(/^.*?,/, ''))).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg"> <path d="M0 0h9" stroke="#fff"/> </svg>',
  );
});

test('a brand without an icon of the operator has the built-in one', () => {
  expect(iconOf('d', folders)).toBe('data:image/svg+xml,%3Csvg/%3E');
});

test('a large or missing icon is linked as a file', () => {
  expect([iconOf('b', folders), iconOf('c', folders)]).toEqual(['/favicon-b.svg', '/favicon-c.svg']);
});
