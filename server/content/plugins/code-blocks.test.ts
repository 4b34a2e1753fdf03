import { expect, test } from 'vitest';
import { el, root } from '../../testing/markdown-trees.ts';
import type { Highlighter } from '../highlighter.ts';
import { codeBlocks } from './code-blocks.ts';
import { element, text } from './elements.ts';

const highlighter: Highlighter = {
  load: async () => undefined,
  tokens: (code, language) =>
    language === 'sql' ? code.split('\n').map((line) => [{ text: line, kind: 'keyword' }]) : undefined,
};
const block = (language: string, meta: string, code: string) =>
  el('pre', element('code', { className: [`language-${language}`], dataMeta: meta }, [text(`${code}\n`)]));

test('a code block becomes a figure with title, lines and token classes', async () => {
  const tree = root(block('sql', 'title="t" {2}', 'A\nB'));
  await codeBlocks({ highlighter })(tree);
  const line = (name: string[], value: string) =>
    element('span', { className: name }, [element('span', { className: ['tok-keyword'] }, [text(value)])]);
  expect(tree).toEqual(
    root(
      element('figure', { className: ['code'], dataLanguage: 'sql' }, [
        el('figcaption', 't'),
        element('pre', { tabIndex: 0 }, [
          element('code', { translate: 'no' }, [line(['line'], 'A'), text('\n'), line(['line', 'marked'], 'B')]),
        ]),
      ]),
    ),
  );
});

test('an unknown language is plain text, and a suffix of the name is meta', async () => {
  const tree = root(block('nix{1}', '', 'x'), block('js:line-numbers', '', 'y'));
  await codeBlocks({ highlighter })(tree);
  const html = JSON.stringify(tree);
  expect(html).toContain('"dataLanguage":"nix"');
  expect(html).toContain('["line","marked"]');
  expect(html).toContain('["code","line-numbers"]');
  expect(html).not.toContain('tok-');
});

test('classes in braces after a space name the language, too', async () => {
  const tree = root(block('{', '.yaml .annotate title="a" }', 'x'));
  await codeBlocks({ highlighter })(tree);
  expect(tree.children[0]).toMatchObject({ properties: { dataLanguage: 'yaml' } });
});

test.each([
  [['language-SQL'], 'sql'],
  [['other', 'language-c++'], 'c++'],
  [['language-{.python'], 'python'],
  [['language-.rust'], 'rust'],
  [['language-'], 'text'],
  [[], 'text'],
  [['x-language-js'], 'text'],
])('the classes %j name the language %s', async (className, language) => {
  const asked: string[] = [];
  const tree = root(el('pre', element('code', { className }, [text('x\n')])));
  const load = async (names: Iterable<string>) => void asked.push(...names);
  await codeBlocks({ highlighter: { ...highlighter, load } })(tree);
  expect(tree.children[0]).toMatchObject({ tagName: 'figure', properties: { dataLanguage: language } });
  expect(asked).toEqual([language]);
});

test('only a pre that contains one code element and spaces is a code block', async () => {
  const code = () => element('code', {}, [text('x')]);
  const tree = root(el('pre', '\n', code(), ' '), el('pre', code(), 'more'), el('pre', 'text'), el('p', code()));
  await codeBlocks({ highlighter })(tree);
  expect(tree.children.map((child) => child.type === 'element' && child.tagName)).toEqual([
    'figure',
    'pre',
    'pre',
    'p',
  ]);
});

test('no code is translated by the browser, in a line as little as in a block', async () => {
  const tree = root(block('sql', '', 'SELECT'), el('p', element('code', {}, [text('millrace job')])));
  await codeBlocks({ highlighter })(tree);
  expect(JSON.stringify(tree).match(/"tagName":"code","properties":{[^}]*}/g)).toEqual(
    Array(2).fill('"tagName":"code","properties":{"translate":"no"}'),
  );
});
