/** Switches indented code off, as MDX does: there, indentation only shows what belongs to which element. */
import type { Processor } from 'unified';

/** Adds to remark-parse. */
export function withoutIndentedCode(this: Processor): void {
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: ['codeIndented'] } }];
}
