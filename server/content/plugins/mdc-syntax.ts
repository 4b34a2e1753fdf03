import remarkMdc from 'remark-mdc';
import type { Processor } from 'unified';

const brace = 123;

/**
 * Adds remark-mdc, for Nuxt Content's components, instead of remark-directive: it reads `:::name` blocks as well. Its
 * `{{ bindings }}` are left out: they are not text here, and an open one makes its parser throw.
 */
export function mdcSyntax(this: Processor) {
  const attributes = remarkMdc.call(this, {});
  const text = this.data().micromarkExtensions?.at(-1)?.text;
  const constructs = text?.[brace];
  // Of two constructs, the first reads bindings.
  if (!text || !Array.isArray(constructs) || constructs.length !== 2)
    throw new Error('remark-mdc does not read braces as expected.');
  text[brace] = constructs.slice(1);
  return attributes;
}
