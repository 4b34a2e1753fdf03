import '../../../client/styles/prose.css';
import '../../parts/reading.css';
import '../blog.css';
import { counted } from '../../../client/contract/counted.ts';
import type { PageProps } from '../../../client/contract/pages.ts';
import { tagHref } from '../addresses.ts';
import { BlogFrame } from '../BlogFrame.tsx';
import { BlogHeader } from '../BlogHeader.tsx';
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
        note={counted(posts.length, 'post')}
      />
      <PostList posts={posts} />
    </BlogFrame>
  );
}
