import type { HomeText } from '../../client/contract/page-texts.ts';
import type { PostCard } from '../../client/contract/reading.ts';
import { LongDate } from '../../client/ui/LongDate.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';

/** The newest posts; nothing if there are none. */
export function NewestPosts({ text, posts }: { text: HomeText['posts']; posts: PostCard[] }) {
  if (posts.length === 0) return null;
  return (
    <section className="section wrap" aria-labelledby="posts">
      <SectionHead id="posts" text={text} />
      <div className="cards">
        {posts.map((post) => (
          <article key={post.path} className="newest">
            <p className="eyebrow">
              <LongDate iso={post.date} />
              {post.tags[0] && <> · {post.tags[0].label}</>}
            </p>
            <h3>
              <a href={post.path}>{post.title}</a>
            </h3>
            <p>{post.description}</p>
          </article>
        ))}
      </div>
    </section>
  );
}
