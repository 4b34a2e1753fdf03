import { admonitionKind } from './admonition-kinds.ts';

const others = new Set(['tabs', 'tab', 'details', 'code-group', 'raw', 'v-pre']);

/** True for the `:::name` blocks that have a meaning here. */
export function isContainer(name: string): boolean {
  return admonitionKind(name) !== undefined || others.has(name.toLowerCase());
}
