import '../../client/styles/prose.css';
import '../parts/reading.css';
import './blog.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { ledeOf } from '../parts/lede.ts';
import { Prose } from '../parts/Prose.tsx';
import { BlogFrame } from './BlogFrame.tsx';
import { BlogHeader } from './BlogHeader.tsx';
import { PostList } from './PostList.tsx';

/** All posts on one page, below the blog's own introduction. */
export default function BlogPage({ title, lede, page, posts, years }: PageProps<'blog'>) {
  return (
    <BlogFrame years={years}>
      <BlogHeader title={title} lede={page ? ledeOf(page) : lede} path="/blog" />
      {page && page.tree.children.length > 0 && <Prose tree={page.tree} />}
      <PostList posts={posts} />
    </BlogFrame>
  );
}
