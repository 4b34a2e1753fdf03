import type { Element, ElementContent, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import { takeLabel } from './admonitions.ts';
import { readCodeMeta } from './code-meta.ts';
import { classes, element, isBlank, isElement, property, replaceElements, text } from './elements.ts';

/**
 * Turns md-tabs and md-code-group into sections one under the other, which a small script makes into tabs. Works
 * without JavaScript: every section shows its label.
 */
export function tabs() {
  return (tree: Root): void => {
    replaceElements(tree, (node) => {
      if (isElement(node, 'md-tab')) return [tabSection(node)];
      if (isElement(node, 'md-tabs')) return [tabsOf(node.children)];
      if (isElement(node, 'md-code-group')) return [tabsOf(node.children.map(codeSection))];
      return undefined;
    });
  };
}

function tabsOf(children: ElementContent[]): Element {
  return element(
    'div',
    { className: ['tabs'], dataTabs: '' },
    children.filter((child) => !isBlank(child)),
  );
}

function tabSection(node: Element): Element {
  const { label, rest } = takeLabel(node);
  const name = label ? textOf(element('span', {}, label)).trim() : property(node, 'label');
  return section(name || 'Tab', rest);
}

function codeSection(child: ElementContent): ElementContent {
  const code = isElement(child, 'pre') ? child.children.find((inner) => isElement(inner, 'code')) : undefined;
  if (!isElement(code, 'code')) return child;
  const meta = readCodeMeta(property(code, 'dataMeta') ?? '');
  const language = classes(code)
    .find((name) => name.startsWith('language-'))
    ?.slice('language-'.length);
  return section(meta.label ?? meta.title ?? language ?? 'Code', [child]);
}

function section(label: string, children: ElementContent[]): Element {
  const heading = element('p', { className: ['tab-label'] }, [text(label)]);
  return element('section', { className: ['tab'], dataLabel: label }, [heading, ...children]);
}
