import '../../../client/styles/prose.css';
import '../../parts/reading.css';
import '../blog.css';
import type { PageProps } from '../../../client/contract/pages.ts';
import { tagHref } from '../addresses.ts';
import { BlogFrame } from '../BlogFrame.tsx';
import { BlogHeader } from '../BlogHeader.tsx';
import { countPosts } from '../count.ts';
import { PostList } from '../PostList.tsx';

/** Posts with one tag. */
export default function TagPage({ tag, posts, years }: PageProps<'blog/tag'>) {
  return (
    <BlogFrame years={years}>
      <BlogHeader
        title={tag.label}
        lede={tag.description}
        path={tagHref(tag)}
        above={{ label: 'Tags', href: '/blog/tags' }}
        note={countPosts(posts.length)}
      />
      <PostList posts={posts} />
    </BlogFrame>
  );
}
