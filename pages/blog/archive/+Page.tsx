import '../../parts/reading.css';
import '../blog.css';
import type { PageProps } from '../../../client/contract/pages.ts';
import type { Link, PostCard } from '../../../client/contract/reading.ts';
import { ShortDate } from '../../../client/ui/ShortDate.tsx';
import { BlogFrame } from '../BlogFrame.tsx';
import { BlogHeader } from '../BlogHeader.tsx';

const toLink = ({ title, path }: PostCard): Link => ({ label: title, href: path });

/** Dates and titles by year. */
export default function ArchivePage({ lede, years }: PageProps<'blog/archive'>) {
  return (
    <BlogFrame years={years.map(({ year, posts }) => ({ year, posts: posts.map(toLink) }))}>
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
    </BlogFrame>
  );
}
