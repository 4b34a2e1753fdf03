import type { Processor } from 'unified';

/**
 * Switches indented code off in remark-parse, as MDX does: there, indentation only shows what belongs to which
 * element.
 */
export function withoutIndentedCode(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ['codeIndented'] } }];
}
