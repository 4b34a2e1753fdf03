import type { Element, Root, Text } from 'hast';
import type { VFile } from 'vfile';
import { fillBrand, handWritten } from '../brand-text.ts';
import { isElement } from './elements.ts';
import { type PageData, pageData } from './page-data.ts';

const attributes = ['href', 'alt', 'title', 'label'];

/**
 * Fills `:brand` in text and attributes, never in code, and reports the brand's name where it is hard-coded. Runs after
 * the headings have their ids, so ids are the same for every brand.
 */
export function brandName() {
  return (tree: Root, file: VFile): void => fillTree(tree, pageData(file));
}

function fillTree(parent: Root | Element, page: PageData): void {
  for (const child of parent.children) {
    if (child.type === 'text') fillText(child, page);
    if (child.type !== 'element' || isElement(child, 'code', 'pre')) continue;
    for (const name of attributes) {
      const value = child.properties[name];
      if (typeof value === 'string') child.properties[name] = fillBrand(value, page.brand);
    }
    fillTree(child, page);
  }
}

function fillText(node: Text, { brand, faults }: PageData): void {
  for (const index of handWritten(node.value, brand)) {
    faults.push({
      ...placeIn(node, index),
      rule: 'brand-name',
      message: `“${brand.name}” is hard-coded: write :brand instead.`,
    });
  }
  node.value = fillBrand(node.value, brand, (field, index) => {
    faults.push({ ...placeIn(node, index), rule: 'brand-field', message: `The brand has no field “${field}”.` });
  });
}

function placeIn(node: Text, index: number): { line: number; column: number } {
  const start = node.position?.start ?? { line: 1, column: 1 };
  const before = node.value.slice(0, index).split('\n');
  const last = before.at(-1) ?? '';
  return {
    line: start.line + before.length - 1,
    column: before.length > 1 ? last.length + 1 : start.column + last.length,
  };
}
