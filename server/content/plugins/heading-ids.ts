import GithubSlugger, { slug } from 'github-slugger';
import type { Element, Root, Text } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import { isFrameId } from '../../../client/contract/frame-ids.ts';
import { eachElement, text } from './elements.ts';

/**
 * Gives headings and terms their ids: the one written as `{#id}` at their end, otherwise one from their words as on
 * GitHub, or as in Hugo for terms. A heading's id is unique, also within the page around the text. Runs after the
 * sanitiser, so ids have no prefix.
 */
export function headingIds() {
  return (tree: Root): void => {
    const headings: Element[] = [];
    const terms: Element[] = [];
    eachElement(tree, (node) => {
      if (isHeading(node)) headings.push(node);
      else if (node.tagName === 'dt') terms.push(node);
      else return;
      const written = takeWrittenId(node);
      if (written) node.properties.id = written;
    });
    const slugger = new GithubSlugger();
    const taken = new Map<string, number>();
    for (const heading of headings) {
      const wanted = heading.properties.id || slugger.slug(textOf(heading)) || 'section';
      heading.properties.id = free(String(wanted), taken);
    }
    // Headings have the first choice: links to them are older than links to terms.
    for (const term of terms.filter(({ properties }) => properties.id === undefined)) {
      const wanted = slug(textOf(term).trim());
      if (wanted) term.properties.id = free(wanted, taken);
    }
  };
}

/** @param taken id → the next number to try after it, for a page with thousands of equal terms */
function free(wanted: string, taken: Map<string, number>): string {
  let id = wanted;
  let count = taken.get(wanted) ?? 1;
  for (; taken.has(id) || isFrameId(id); count += 1) id = `${wanted}-${count}`;
  taken.set(wanted, count);
  if (id !== wanted) taken.set(id, 1);
  return id;
}

function isHeading(node: Element): boolean {
  return /^h[1-6]$/.test(node.tagName);
}

const attribute = String.raw`(?:[#.][^\s{}"'=]+|[\w-]+=(?:"[^"]*"|'[^']*'|[^\s"'{}]+))`;
const attributes = new RegExp(String.raw`\s*\{:?\s*(${attribute}(?:\s+${attribute})*)\s*\}\s*$`, 'u');

/**
 * Removes `{#id}` (also `{ #id .class key="value" }` and `{ id="id" }`) from the end of a heading; one without words
 * gets the id's.
 */
function takeWrittenId(heading: Element): string | undefined {
  const last = lastText(heading);
  const found = last && attributes.exec(last.value);
  if (!last || !found) return undefined;
  last.value = last.value.slice(0, found.index);
  const id = /(?:^|\s)(?:#|id=["']?)([^\s"']+)/.exec(found[1] ?? '')?.[1];
  if (id && textOf(heading).trim() === '') heading.children.push(text(id));
  return id;
}

/** The text that ends an element, at any depth; code is left alone. */
function lastText(node: Element): Text | undefined {
  const last = node.children.at(-1);
  if (last?.type === 'text') return last;
  return last?.type === 'element' && last.tagName !== 'code' ? lastText(last) : undefined;
}
