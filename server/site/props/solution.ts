import type { Link } from '../../../client/contract/reading.ts';
import type { Content } from '../../content/content.ts';
import { newestPosts } from './blog.ts';
import type { Shown, Wanted } from './shown.ts';

/** What both solution pages show besides their text: posts of a tag, and some documents. */
export function solutionProps(
  { content, data: { catalogue } }: Wanted,
  tag: string,
  documents: readonly string[],
): Shown<'solution1'> {
  return { props: { catalogue, posts: newestPosts(content, 3, tag), docs: links(content, documents) } };
}

function links(content: Content, paths: readonly string[]): Link[] {
  return paths.flatMap((path) => {
    const doc = content.docs.get(path);
    return doc ? [{ label: doc.title, href: doc.path }] : [];
  });
}
