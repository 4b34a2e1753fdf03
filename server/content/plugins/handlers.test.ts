import type { RootContent as HastContent, Root as HastRoot } from 'hast';
import type { Root, RootContent } from 'mdast';
import type { ContainerDirective } from 'mdast-util-directive';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { el } from '../../testing/markdown-trees.ts';
import { element, text } from './elements.ts';
import { handlers } from './handlers.ts';

const processor = unified().use(remarkRehype, { handlers }).freeze();
/** What a markdown node becomes, without the spaces between blocks. */
function made(node: RootContent): HastContent[] {
  const tree: Root = { type: 'root', children: [node] };
  const { children }: HastRoot = processor.runSync(tree);
  return children.filter((child) => child.type !== 'text');
}

const paragraph = (value: string, data = {}): ContainerDirective['children'][number] => ({
  type: 'paragraph',
  data,
  children: [{ type: 'text', value }],
});
const container = (name: string, label?: string): ContainerDirective => ({
  type: 'containerDirective',
  name,
  children: [...(label ? [paragraph(label, { directiveLabel: true })] : []), paragraph('Text')],
});

test('code keeps its language and meta', () => {
  expect(made({ type: 'code', lang: 'SQL', meta: '{1}', value: 'SELECT 1' })).toEqual([
    el('pre', element('code', { className: ['language-sql'], dataMeta: '{1}' }, [text('SELECT 1\n')])),
  ]);
  expect(made({ type: 'code', value: 'x' })).toEqual([el('pre', el('code', 'x\n'))]);
});

test.each([
  ['Tip', 'md-admonition', { kind: 'tip' }],
  ['important', 'md-admonition', { kind: 'info' }],
  ['tab', 'md-tab', {}],
])('%s with a label becomes %s', (name, tagName, properties) => {
  const [block] = made(container(name, 'Label'));
  expect(block).toMatchObject({ tagName, properties });
  expect(JSON.stringify(block)).toContain(JSON.stringify(el('md-label', 'Label')));
  expect(JSON.stringify(made(container(name)))).not.toContain('md-label');
});

test('tabs and code groups become their elements', () => {
  expect(made(container('tabs'))).toMatchObject([{ tagName: 'md-tabs' }]);
  expect(made(container('code-group'))).toMatchObject([{ tagName: 'md-code-group' }]);
});

test('details have their own summary or the default one', () => {
  expect(JSON.stringify(made(container('details', 'More')))).toContain(JSON.stringify(el('summary', 'More')));
  expect(JSON.stringify(made(container('details')))).toContain(JSON.stringify(el('summary', 'Details')));
});

test('an unknown container keeps its text, and its label as a paragraph', () => {
  expect(made(container('unknown', 'Label'))).toEqual([el('p', 'Label'), el('p', 'Text')]);
});
