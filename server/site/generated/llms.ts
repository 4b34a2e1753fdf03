import type { SidebarNode } from '../../../client/contract/reading.ts';
import type { Site } from '../../../client/contract/site.ts';
import type { Content } from '../../content/content.ts';
import { HttpError } from '../../http/errors.ts';

function lines(node: SidebarNode, content: Content, publicUrl: string): string[] {
  const doc = node.href === undefined ? undefined : content.docs.get(node.href);
  const own = doc
    ? [`- [${doc.title}](${publicUrl}${doc.path}.md)${doc.description ? `: ${doc.description}` : ''}`]
    : [];
  return [...own, ...(node.items ?? []).flatMap((item) => lines(item, content, publicUrl))];
}

/** `llms.txt`: the site's content, as one list of links to markdown. */
export function llms(content: Content, { brand, publicUrl }: Site): string {
  const groups = content.sidebar.map((group) => `## ${group.label}\n\n${lines(group, content, publicUrl).join('\n')}`);
  const posts = [...content.posts.values()].map(
    (post) => `- [${post.title}](${publicUrl}${post.path}.md): ${post.description}`,
  );
  return `# ${brand.name}\n\n> ${brand.description}\n\n${groups.join('\n\n')}\n\n## Blog\n\n${posts.join('\n')}\n`;
}

/** `llms-full.txt`: every document and post in full, in reading order. */
export async function llmsFull(content: Content, { brand, publicUrl }: Site): Promise<string> {
  const parts = [`# ${brand.name}\n\n> ${brand.description}\n`];
  for (const entry of [...content.docs.values(), ...content.posts.values()]) {
    const text = await content.source(entry.path, publicUrl).catch(ifGone);
    if (text !== undefined) parts.push(`Source: ${publicUrl}${entry.path}\n\n${text}`);
  }
  return parts.join('\n\n---\n\n');
}

/** A page whose file has disappeared since the start is reported by the content, and left out here. */
function ifGone(error: unknown): undefined {
  if (!(error instanceof HttpError) || error.code !== 'NOT_FOUND') throw error;
}
