import remarkDirective from 'remark-directive';
import type { Processor } from 'unified';

const colon = 58;

/** Adds remark-directive with containers only. `:text` and `::leaf` stay as they are, so `redis:alpine` is text. */
export function containerSyntax(this: Processor): void {
  remarkDirective.call(this);
  const extensions = this.data().micromarkExtensions;
  const flow = extensions?.pop()?.flow?.[colon];
  const container = Array.isArray(flow) ? flow[0] : flow;
  if (!container) throw new Error('remark-directive has no container construct.');
  extensions?.push({ flow: { [colon]: container } });
}
