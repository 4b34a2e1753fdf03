import '../../parts/reading.css';
import '../blog.css';
import { counted } from '../../../client/contract/counted.ts';
import type { PageProps } from '../../../client/contract/pages.ts';
import { tagHref } from '../addresses.ts';
import { BlogFrame } from '../BlogFrame.tsx';
import { BlogHeader } from '../BlogHeader.tsx';

/** All tags. */
export default function TagsPage({ lede, tags, years }: PageProps<'blog/tags'>) {
  return (
    <BlogFrame years={years}>
      <BlogHeader title="Tags" lede={lede} path="/blog/tags" />
      {tags.map((tag) => (
        <section key={tag.id} className="blog-row">
          <h2>
            <a href={tagHref(tag)}>{tag.label}</a>
          </h2>
          <div>
            <p>{tag.description}</p>
            <p className="reading-meta">{counted(tag.posts, 'post')}</p>
          </div>
        </section>
      ))}
    </BlogFrame>
  );
}
