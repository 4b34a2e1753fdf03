import type { Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { expect, test } from 'vitest';
import { containerSyntax } from './container-syntax.ts';

const parser = unified().use(remarkParse).use(containerSyntax).freeze();

/** The types of a tree's nodes, with the names of directives. */
function shape(node: Nodes): string {
  const name = 'name' in node ? `${node.type}:${node.name}` : node.type;
  return 'children' in node ? `${name}(${node.children.map(shape).join(' ')})` : name;
}

test('containers are directives, also when nested', () => {
  expect(shape(parser.parse('::::tabs\n:::tab[One]\nText\n:::\n::::'))).toBe(
    'root(containerDirective:tabs(containerDirective:tab(paragraph(text) paragraph(text))))',
  );
});

test.each(['redis:alpine at 10:30am', ':smile:', '::leaf', '::leaf[Label]{a=b}'])('%s is text', (written) => {
  expect(shape(parser.parse(written))).toBe('root(paragraph(text))');
});
