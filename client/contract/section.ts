import type { BarGroup } from './site.ts';

const prefixes: [BarGroup['id'], RegExp][] = [
  ['product', /^\/$|^\/(product|why|connector)(\/|$)/],
  ['solutions', /^\/solution/],
  ['resources', /^\/(blog|docs)(\/|$)/],
  ['pricing', /^\/pricing(\/|$)/],
  ['about', /^\/about(\/|$)/],
];

/** The highlighted section in the bar for a path, if there is one. */
export function sectionOf(path: string): BarGroup['id'] | undefined {
  return prefixes.find(([, pattern]) => pattern.test(path))?.[0];
}
