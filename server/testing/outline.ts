import type { Nodes } from 'hast';

/** A tree as lines that are easy to read and compare: `p.note lang="de"`, with its content indented below. */
export function outline(node: Nodes, indent = ''): string {
  if (node.type === 'text') return `${indent}${JSON.stringify(node.value)}\n`;
  if (node.type === 'root') return node.children.map((child) => outline(child, indent)).join('');
  if (node.type !== 'element') return `${indent}${node.type}\n`;
  const { className = [], ...rest } = node.properties;
  const names = [className].flat().map((name) => `.${name}`);
  const attributes = Object.entries(rest).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const head = [indent, node.tagName, ...names, ...attributes].join('');
  const [only, ...others] = node.children;
  if (only?.type === 'text' && others.length === 0) return `${head} ${JSON.stringify(only.value)}\n`;
  return `${head}\n${node.children.map((child) => outline(child, `${indent}  `)).join('')}`;
}
