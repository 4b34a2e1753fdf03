import '../../client/styles/prose.css';
import '../parts/reading.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { ledeOf } from '../parts/lede.ts';
import { Prose } from '../parts/Prose.tsx';
import { FoldedContents, TableOfContents } from '../parts/TableOfContents.tsx';

/** A page written in markdown alone. */
export default function MarkdownPage({ page }: PageProps<'markdown-page'>) {
  const lede = ledeOf(page);
  return (
    <div className="wrap reading reading-alone">
      <article className="reading-text">
        <header className="reading-header">
          <h1>{page.title}</h1>
          {lede && <p className="lede">{lede}</p>}
        </header>
        <FoldedContents toc={page.toc} />
        <Prose tree={page.tree} />
      </article>
      <TableOfContents toc={page.toc} />
    </div>
  );
}
