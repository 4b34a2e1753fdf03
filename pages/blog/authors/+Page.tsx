import '../../parts/reading.css';
import '../blog.css';
import { counted } from '../../../client/contract/counted.ts';
import type { PageProps } from '../../../client/contract/pages.ts';
import { authorHref } from '../addresses.ts';
import { BlogFrame } from '../BlogFrame.tsx';
import { BlogHeader } from '../BlogHeader.tsx';

/** All authors. */
export default function AuthorsPage({ lede, authors, years }: PageProps<'blog/authors'>) {
  return (
    <BlogFrame years={years}>
      <BlogHeader title="Authors" lede={lede} path="/blog/authors" />
      {authors.map((author) => (
        <section key={author.name} className="blog-row">
          <div>
            <h2>
              <a href={authorHref(author)}>{author.label}</a>
            </h2>
            <p className="reading-meta">{author.title}</p>
          </div>
          <div>
            <p>{author.description}</p>
            <p className="reading-meta">{counted(author.posts, 'post')}</p>
          </div>
        </section>
      ))}
    </BlogFrame>
  );
}
