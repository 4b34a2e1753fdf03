import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder, writeFiles } from '../testing/content-folder.ts';
import { inlineStyles, linkStyles } from './inline-styles.ts';

const folder = testFolder('inline-styles');

function documentWith(files: Record<string, string>, name: string) {
  writeFiles(join(folder, name), files);
  const links = Object.keys(files).map((file) => `<link rel="stylesheet" type="text/css" href="/${file}">`);
  const html = `<html><head>${links.join('')}<link rel="icon" href="/i.svg"><title>A</title></head><body></body></html>`;
  return inlineStyles(join(folder, name))({ status: 200, html });
}

test('style sheets become one element, in order, with their file names and a hash', () => {
  const { html, styleHash } = documentWith(
    { 'a.css': '@media (width<9px){a{b:c}}\n', 'b.css': 'd::after{content:"$&"}' },
    'two',
  );
  const text = '@media (width<9px){a{b:c}}d::after{content:"$&"}';
  expect(html).toBe(
    `<html><head><link rel="icon" href="/i.svg"><title>A</title><style data-files="/a.css /b.css">${text}</style></head><body></body></html>`,
  );
  expect(styleHash).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`);
  expect(linkStyles(html)).toBe(
    '<html><head><link rel="icon" href="/i.svg"><title>A</title><link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/b.css"></head><body></body></html>',
  );
});

test('a document without style sheets stays unchanged', () => {
  const rendered = { status: 404, html: '<head></head>' };
  expect(inlineStyles(folder)(rendered)).toEqual(rendered);
  expect(linkStyles('<head></head>')).toBe('<head></head>');
});

test.each([
  ['could close its element', 'a::after{content:"</style>"}', /a\.css has a '<\/'/],
  ['names a relative file', 'a{background:url(b.png)}', /a\.css refers to a file by a relative path: url\(b\.png\)/],
  ['names a relative file in quotes', "a{background:url('../b.png')}", /by a relative path: url/],
])('a style sheet that %s is refused', (_fault, text, message) => {
  expect(() => documentWith({ 'a.css': text }, 'refused')).toThrow(message);
});

test.each(['url(/b.woff2)', 'url("data:image/png;base64,AA")', 'url(#mask)'])(
  '%s is allowed in an inline style sheet',
  (url) => {
    expect(documentWith({ 'a.css': `a{b:${url}}` }, 'accepted').html).toContain(url);
  },
);
