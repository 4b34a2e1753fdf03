/** What rehype-slug leaves open: ids that authors write, and headings without a letter or with a taken id. */
import type { Element, Root } from 'hast';
import { eachElement } from './elements.ts';

/** Takes `{#id}` at the end of a heading as its id; runs before rehype-slug and after the sanitiser, so without a prefix. */
export function writtenIds() {
  return (tree: Root): void => {
    eachElement(tree, (node) => {
      const written = isHeading(node) ? takeWrittenId(node) : undefined;
      if (written) node.properties.id = written;
    });
  };
}

/** Makes every heading's id one of its own; runs after rehype-slug. */
export function uniqueIds() {
  return (tree: Root): void => {
    const taken = new Set<string>();
    eachElement(tree, (node) => {
      if (!isHeading(node)) return;
      const wanted = String(node.properties.id ?? '') || 'section';
      let id = wanted;
      for (let count = 1; taken.has(id); count += 1) id = `${wanted}-${count}`;
      taken.add(id);
      node.properties.id = id;
    });
  };
}

function isHeading(node: Element): boolean {
  return /^h[1-6]$/.test(node.tagName);
}

/** Takes `{#id}` (also `{ #id .class }`) off the end of a heading. */
function takeWrittenId(heading: Element): string | undefined {
  const last = heading.children.at(-1);
  if (last?.type !== 'text') return undefined;
  const found = /\s*\{:?\s*(?:#([\w:.-]+))?(?:\s*\.[\w-]+)*\s*\}\s*$/.exec(last.value);
  if (!found || !/[#.]/.test(found[0])) return undefined;
  last.value = last.value.slice(0, found.index);
  return found[1];
}
