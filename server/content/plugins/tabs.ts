import type { Element, ElementContent, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import type { VFile } from 'vfile';
import { takeLabel } from './admonitions.ts';
import { readCodeMeta } from './code-meta.ts';
import { classes, element, isBlank, isElement, property, replaceElements, text } from './elements.ts';
import { pageData } from './page-data.ts';

/**
 * Turns md-tabs and md-code-group into consecutive sections, which a small script turns into tabs. Works without
 * JavaScript: every section shows its label. Duplicate labels are reported: a reader cannot tell the tabs apart.
 */
export function tabs() {
  return (tree: Root, file: VFile): void => {
    replaceElements(tree, (node) => {
      if (isElement(node, 'md-tab')) return [tabSection(node)];
      if (isElement(node, 'md-tabs')) return [tabsOf(node.children, file)];
      if (isElement(node, 'md-code-group')) return [tabsOf(node.children.map(codeSection), file)];
      return undefined;
    });
  };
}

function tabsOf(children: ElementContent[], file: VFile): Element {
  const labels = new Set<string>();
  for (const child of children) {
    const label = isElement(child, 'section') ? property(child, 'dataLabel') : undefined;
    if (label === undefined) continue;
    if (labels.has(label)) reportTwice(label, child, file);
    labels.add(label);
  }
  return element(
    'div',
    { className: ['tabs'], dataTabs: '' },
    children.filter((child) => !isBlank(child)),
  );
}

function reportTwice(label: string, { position }: ElementContent, file: VFile): void {
  const { line, column } = position?.start ?? { line: 1, column: 1 };
  const message = `Two tabs in one group are labelled “${label}”: give each its own label.`;
  pageData(file).faults.push({ line, column, rule: 'duplicate-tab', message });
}

function tabSection(node: Element): Element {
  const { label, rest } = takeLabel(node);
  const name = label ? textOf(element('span', {}, label)).trim() : property(node, 'label');
  return section(name || 'Tab', rest, node);
}

function codeSection(child: ElementContent): ElementContent {
  const code = isElement(child, 'pre') ? child.children.find((inner) => isElement(inner, 'code')) : undefined;
  if (!isElement(code, 'code')) return child;
  const meta = readCodeMeta(property(code, 'dataMeta') ?? '');
  const language = classes(code)
    .find((name) => name.startsWith('language-'))
    ?.slice('language-'.length);
  return section(meta.label ?? meta.title ?? language ?? 'Code', [child], child);
}

function section(label: string, children: ElementContent[], { position }: ElementContent): Element {
  const heading = element('p', { className: ['tab-label'] }, [text(label)]);
  const made = element('section', { className: ['tab'], dataLabel: label }, [heading, ...children]);
  return position ? { ...made, position } : made;
}
