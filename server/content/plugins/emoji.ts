import { nameToEmoji } from 'gemoji';
import type { Element, Root } from 'hast';
import { isElement } from './elements.ts';

// Times and labels such as 10:30:00 and a:b:c are not emoji.
const shortcode = /(?<![\w/]):([a-z\d_+-]+):(?![\w/])/g;

/**
 * Writes `:smile:` as the character it stands for, by GitHub's names; never in code. Runs after the headings have their
 * ids, which are derived from the names, as on GitHub.
 */
export function emoji() {
  return (tree: Root): void => fill(tree);
}

function fill(parent: Root | Element): void {
  for (const child of parent.children) {
    if (child.type === 'text' && child.value.includes(':')) child.value = child.value.replace(shortcode, character);
    if (child.type === 'element' && !isElement(child, 'code', 'pre')) fill(child);
  }
}

function character(whole: string, name: string): string {
  return Object.hasOwn(nameToEmoji, name) ? (nameToEmoji[name] ?? whole) : whole;
}
