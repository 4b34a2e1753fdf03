import type { Link, PostCard } from '../../../client/contract/reading.ts';
import { LongDate } from '../../../client/ui/LongDate.tsx';

/** Posts on the left, documents on the right; a side without entries is left out. */
export function Related({ posts, docs }: { posts: PostCard[]; docs: Link[] }) {
  return (
    <div className="related">
      {posts.length > 0 && (
        <div>
          <h3>From the blog</h3>
          <ul>
            {posts.map(({ path, title, date }) => (
              <li key={path}>
                <a href={path}>{title}</a>
                <small>
                  <LongDate iso={date} />
                </small>
              </li>
            ))}
          </ul>
        </div>
      )}
      {docs.length > 0 && (
        <div>
          <h3>From the documents</h3>
          <ul>
            {docs.map(({ href, label }) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
