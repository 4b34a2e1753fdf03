import type { Element } from 'hast';
import rehypeSanitize from 'rehype-sanitize';
import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { sanitiseSchema } from './sanitise-schema.ts';

const clean = (...children: Element[]) => rehypeSanitize(sanitiseSchema)(root(...children));

test('our own elements and text elements keep their attributes', () => {
  const kept = [
    element('md-admonition', { kind: 'tip', title: 'T' }),
    element('md-tab', { label: 'L' }),
    element('code', { className: ['language-sql'], dataMeta: '{1}' }),
    element('details', { open: true }, [el('summary', 'S')]),
    element('abbr', { title: 'T' }),
    el('figure', el('figcaption', 'C')),
    element('a', { href: 'https://example.org' }, [text('a')]),
  ];
  expect(clean(...structuredClone(kept))).toEqual(root(...kept));
});

test('elements that run, style or embed something are removed', () => {
  const names = ['script', 'style', 'iframe', 'object', 'svg', 'template', 'noscript', 'textarea', 'select'];
  expect(clean(...names.map((name) => el(name, 'x')))).toEqual(root());
  const written = element('p', { style: 'color: red', onClick: 'x()', className: ['a'] }, [text('Text')]);
  expect(clean(written, element('a', { href: 'javascript:x()' }))).toEqual(root(el('p', 'Text'), el('a')));
  expect(clean(el('form', 'Text'), element('code', { className: ['other'] }))).toEqual(
    root('Text', element('code', { className: [] })),
  );
});

test('ids are prefixed so that none clashes with an id of the page', () => {
  expect(clean(element('p', { id: 'main' }))).toEqual(root(element('p', { id: 'user-content-main' })));
});
