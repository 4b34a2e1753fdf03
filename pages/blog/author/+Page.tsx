import '../../../client/styles/prose.css';
import '../../parts/reading.css';
import '../blog.css';
import type { PageProps } from '../../../client/contract/pages.ts';
import { authorHref } from '../addresses.ts';
import { BlogHeader } from '../BlogHeader.tsx';
import { countPosts } from '../count.ts';
import { PostList } from '../PostList.tsx';

/** Posts of one author. */
export default function AuthorPage({ author, posts }: PageProps<'blog/author'>) {
  const note = [author.title, countPosts(posts.length)].filter(Boolean).join(' · ');
  return (
    <div className="wrap blog-list">
      <BlogHeader
        title={author.label}
        lede={author.description}
        path={authorHref(author)}
        above={{ label: 'Authors', href: '/blog/authors' }}
        note={note}
      />
      <PostList posts={posts} wide />
    </div>
  );
}
