import '../../../client/styles/prose.css';
import '../../parts/reading.css';
import '../blog.css';
import type { PageProps } from '../../../client/contract/pages.ts';
import { LongDate } from '../../../client/ui/LongDate.tsx';
import { Breadcrumbs } from '../../parts/Breadcrumbs.tsx';
import { BrokenText } from '../../parts/BrokenText.tsx';
import { Faults } from '../../parts/Faults.tsx';
import { ledeOf } from '../../parts/lede.ts';
import { mainText } from '../../parts/main-text.ts';
import { Planned } from '../../parts/Planned.tsx';
import { PreviousNext } from '../../parts/PreviousNext.tsx';
import { Prose } from '../../parts/Prose.tsx';
import { FoldedContents, TableOfContents } from '../../parts/TableOfContents.tsx';
import { tagHref } from '../addresses.ts';
import { Byline } from '../Byline.tsx';
import { Years } from '../Years.tsx';
import { Writers } from './Writers.tsx';

/** One post. */
export default function PostPage({ post, years }: PageProps<'blog/post'>) {
  const lede = ledeOf(post);
  const [tag] = post.tags;
  const crumbs = [{ label: 'Blog', href: '/blog' }, ...(tag ? [{ label: tag.label, href: tagHref(tag) }] : [])];
  return (
    <div className="wrap reading">
      <Years years={years} path={post.path} />
      <article className="reading-text" {...mainText}>
        <header className="reading-header">
          <Breadcrumbs crumbs={crumbs} path={post.path} />
          <h1>{post.title}</h1>
          {lede && <p className="lede">{lede}</p>}
          <p className="reading-meta">
            <LongDate iso={post.date} /> <span>{post.readingMinutes} min read</span>
          </p>
        </header>
        <Planned planned={post.planned} />
        <Faults file={post.file} faults={post.faults} />
        {post.broken ? (
          <BrokenText file={post.file} broken={post.broken} />
        ) : (
          <>
            <FoldedContents toc={post.toc} />
            <Prose tree={post.tree} />
          </>
        )}
        <footer className="post-end">
          <Byline tags={post.tags} authors={[]} />
          <Writers authors={post.authors} />
        </footer>
        <PreviousNext label="Posts" previous={post.previous} next={post.next} words={['Newer', 'Older']} />
      </article>
      <TableOfContents toc={post.broken ? [] : post.toc} markdown={`${post.path}.md`} />
    </div>
  );
}
