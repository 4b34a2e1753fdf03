/** Reads `:::name` blocks only; `:text` and `::leaf` stay what they are, so that `redis:alpine` is text. */
import { directiveFromMarkdown } from 'mdast-util-directive';
import { directive } from 'micromark-extension-directive';
import type { Processor } from 'unified';

/** Adds container directives, and no other kind, to remark-parse. */
export function containerSyntax(this: Processor): void {
  const colon = directive().flow?.[58];
  const container = Array.isArray(colon) ? colon[0] : colon;
  if (!container) throw new Error('micromark-extension-directive has no container construct.');
  const data = this.data();
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { flow: { 58: container } }];
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), directiveFromMarkdown()];
}
