import type { SolutionText } from '../../../client/contract/page-texts.ts';
import type { Link } from '../../../client/contract/reading.ts';
import type { Content } from '../../content/content.ts';
import { newestPosts } from './blog.ts';
import type { PageRequest, PageResult } from './page-request.ts';

/** What both solution pages show: their text, and the posts and documents that it links to. */
export function solutionProps(
  { content, data: { catalogue } }: PageRequest,
  text: SolutionText,
): PageResult<'solution1'> {
  const { tag, documents } = text.related;
  return { props: { text, catalogue, posts: newestPosts(content, 3, tag), docs: links(content, documents) } };
}

function links(content: Content, documents: readonly { href: string }[]): Link[] {
  return documents.flatMap(({ href }) => {
    const doc = content.docs.get(href);
    return doc ? [{ label: doc.title, href }] : [];
  });
}
