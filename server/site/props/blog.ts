import type { Year } from '../../../client/contract/pages.ts';
import type { Compiled, MarkdownPage, PostCard } from '../../../client/contract/reading.ts';
import type { Content, PostEntry } from '../../content/content.ts';
import { faultsOf } from './faults.ts';
import type { PageRequest, PageResult } from './page-request.ts';

/** The newest posts, with one tag or all. */
export function newestPosts(content: Content, count: number, tag?: string): PostCard[] {
  const posts =
    tag === undefined ? [...content.posts.values()] : (content.tags.find((entry) => entry.tag.id === tag)?.posts ?? []);
  return posts.slice(0, count);
}

/** Every post by year, for the blog's sidebar. */
export function yearLinks(content: Content): Year[] {
  return content.years.map(({ year, posts }) => ({
    year,
    posts: posts.map((post) => ({ label: post.title, href: post.path })),
  }));
}

interface BlogEntry {
  path: string;
  title: string;
  description: string;
  page?: Omit<MarkdownPage, keyof Compiled>;
}

/** Every post, below the introduction in `blog/index.md`. */
export function blogProps({ content }: PageRequest, { path, title, description, page }: BlogEntry): PageResult<'blog'> {
  const introduction = page && { page: { ...page, ...content.body(path) } };
  return {
    props: { title, lede: description, ...introduction, posts: [...content.posts.values()], years: yearLinks(content) },
  };
}

/** A post beside the list of all posts. */
export function postProps({ content, history }: PageRequest, post: PostEntry): PageResult<'blog/post'> {
  const faults = faultsOf(post.file, content, history);
  return { props: { post: { ...post, ...content.body(post.path), ...faults }, years: yearLinks(content) } };
}
