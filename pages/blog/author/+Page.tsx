import '../../../client/styles/prose.css';
import '../../parts/reading.css';
import '../blog.css';
import { counted } from '../../../client/contract/counted.ts';
import type { PageProps } from '../../../client/contract/pages.ts';
import { authorHref } from '../addresses.ts';
import { BlogFrame } from '../BlogFrame.tsx';
import { BlogHeader } from '../BlogHeader.tsx';
import { PostList } from '../PostList.tsx';

/** Posts of one author. */
export default function AuthorPage({ author, posts, years }: PageProps<'blog/author'>) {
  const note = [author.title, counted(posts.length, 'post')].filter(Boolean).join(' · ');
  return (
    <BlogFrame years={years}>
      <BlogHeader
        title={author.label}
        lede={author.description}
        path={authorHref(author)}
        above={{ label: 'Authors', href: '/blog/authors' }}
        note={note}
      />
      <PostList posts={posts} />
    </BlogFrame>
  );
}
