import type { Processor } from 'unified';

/**
 * Switches indented code off in remark-parse, as MDX does: there, indentation only shows which element a text belongs
 * to.
 */
export function withoutIndentedCode(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ['codeIndented'] } }];
}
