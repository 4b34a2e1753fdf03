import type { PostCard } from '../../client/contract/reading.ts';
import { LongDate } from '../../client/ui/LongDate.tsx';
import { Prose } from '../parts/Prose.tsx';
import { Byline } from './Byline.tsx';

/** Posts in a column, newest first. */
export function PostList({ posts }: { posts: PostCard[] }) {
  if (posts.length === 0) return <p className="lede">No posts yet.</p>;
  return (
    <ol className="post-list">
      {posts.map((post) => (
        <li key={post.path}>
          <article>
            <p className="reading-meta">
              <LongDate iso={post.date} /> <span>{post.readingMinutes} min read</span>
            </p>
            <div>
              <h2>
                <a href={post.path}>{post.title}</a>
              </h2>
              <Prose tree={post.excerpt} />
              <Byline tags={post.tags} authors={post.authors} />
            </div>
          </article>
        </li>
      ))}
    </ol>
  );
}
