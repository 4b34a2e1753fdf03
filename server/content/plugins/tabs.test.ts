import { expect, test } from 'vitest';
import { el, root, testFile } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { tabs } from './tabs.ts';

const section = (label: string, ...children: ReturnType<typeof el>[]) =>
  element('section', { className: ['tab'], dataLabel: label }, [
    element('p', { className: ['tab-label'] }, [text(label)]),
    ...children,
  ]);

test('tabs become sections with a label', () => {
  const tree = root(
    el(
      'md-tabs',
      el('md-tab', el('md-label', 'Docker'), el('p', 'a')),
      '\n',
      element('md-tab', { label: 'Binary' }, [el('p', 'b')]),
    ),
  );
  tabs()(tree, testFile().file);
  const made = element('div', { className: ['tabs'], dataTabs: '' }, [
    section('Docker', el('p', 'a')),
    section('Binary', el('p', 'b')),
  ]);
  expect(tree).toEqual(root(made));
});

test('a code group takes its labels from the blocks', () => {
  const pre = el('pre', element('code', { className: ['language-sh'], dataMeta: '[npm]' }, [text('npm i')]));
  const plain = el('pre', el('code', 'npm i'));
  const tree = root(el('md-code-group', pre, plain));
  tabs()(tree, testFile().file);
  const made = element('div', { className: ['tabs'], dataTabs: '' }, [section('npm', pre), section('Code', plain)]);
  expect(tree).toEqual(root(made));
});

test('two tabs with the same label are reported', () => {
  const { file, page } = testFile();
  const tab = (label: string, line: number) => ({
    ...element('md-tab', { label }, []),
    position: { start: { line, column: 1 }, end: { line, column: 9 } },
  });
  tabs()(root(el('md-tabs', tab('A', 2), tab('B', 3), tab('A', 4)), el('md-tabs', tab('A', 6))), file);
  const message = 'Two tabs in one group are labelled “A”: give each its own label.';
  expect(page.faults).toEqual([{ line: 4, column: 1, rule: 'duplicate-tab', message }]);
});
