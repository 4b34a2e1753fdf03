/** Gives headings their ids: `{#id}` at the end of a heading, else GitHub's slug of the text. */
import GithubSlugger from 'github-slugger';
import type { Element, Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import { eachElement } from './elements.ts';

/** Runs after the sanitiser, so these ids carry no prefix. */
export function headingIds() {
  return (tree: Root): void => {
    const slugger = new GithubSlugger();
    eachElement(tree, (node) => {
      if (!/^h[1-6]$/.test(node.tagName)) return;
      const written = takeWrittenId(node);
      if (written) node.properties.id = slugger.slug(written, true);
      else if (!node.properties.id) node.properties.id = slugger.slug(textOf(node)) || slugger.slug('section');
    });
  };
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
