import '../../parts/reading.css';
import '../blog.css';
import type { PageProps } from '../../../client/contract/pages.ts';
import { ShortDate } from '../../../client/ui/ShortDate.tsx';
import { BlogHeader } from '../BlogHeader.tsx';

/** Dates and titles by year. */
export default function ArchivePage({ lede, years }: PageProps<'blog/archive'>) {
  return (
    <div className="wrap blog-list">
      <BlogHeader title="Archive" lede={lede} path="/blog/archive" />
      {years.map(({ year, posts }) => (
        <section key={year} className="blog-row" aria-labelledby={`year-${year}`}>
          <h2 id={`year-${year}`}>{year}</h2>
          <ol className="archive">
            {posts.map((post) => (
              <li key={post.path}>
                <ShortDate iso={post.date} />
                <a href={post.path}>{post.title}</a>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
