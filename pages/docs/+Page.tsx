import '../../client/styles/prose.css';
import '../parts/reading.css';
import './docs.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { LongDate } from '../../client/ui/LongDate.tsx';
import { Breadcrumbs } from '../parts/Breadcrumbs.tsx';
import { BrokenText } from '../parts/BrokenText.tsx';
import { Faults } from '../parts/Faults.tsx';
import { Helpful } from '../parts/Helpful.tsx';
import { ledeOf } from '../parts/lede.ts';
import { mainText } from '../parts/main-text.ts';
import { Planned } from '../parts/Planned.tsx';
import { PreviousNext } from '../parts/PreviousNext.tsx';
import { Prose } from '../parts/Prose.tsx';
import { Sidebar } from '../parts/Sidebar.tsx';
import { FoldedContents, TableOfContents } from '../parts/TableOfContents.tsx';
import { ConnectionTargets } from './ConnectionTargets.tsx';
import { LastChange } from './LastChange.tsx';
import { SectionItems } from './SectionItems.tsx';

/** One document between its sidebar and its table of contents. */
export default function DocsPage({ doc, sidebar, catalogue, target }: PageProps<'docs'>) {
  const lede = ledeOf(doc);
  const source = catalogue.connectors.find(({ id }) => id === doc.connection);
  return (
    <div className={doc.hasSidebar ? 'wrap reading' : 'wrap reading reading-alone'}>
      {doc.hasSidebar && (
        <Sidebar label="Documentation" button="Documentation menu" nodes={sidebar} path={doc.path} open="current" />
      )}
      <article className="reading-text" {...mainText}>
        <header className="reading-header">
          <Breadcrumbs crumbs={doc.breadcrumbs} path={doc.path} />
          <h1>{doc.title}</h1>
          {lede && <p className="lede">{lede}</p>}
          {doc.date && (
            <p className="reading-meta">
              <LongDate iso={doc.date} />
            </p>
          )}
        </header>
        <Planned planned={doc.planned} />
        <Faults file={doc.file} faults={doc.faults} />
        {doc.broken ? (
          <BrokenText file={doc.file} broken={doc.broken} />
        ) : (
          <>
            <FoldedContents toc={doc.toc} />
            {source && <ConnectionTargets source={source} catalogue={catalogue} path={doc.path} target={target} />}
            {doc.tree.children.length > 0 ? (
              <Prose tree={doc.tree} />
            ) : (
              <SectionItems nodes={sidebar} path={doc.path} />
            )}
          </>
        )}
        <Helpful />
        <LastChange doc={doc} />
        <PreviousNext label="Documents" previous={doc.previous} next={doc.next} words={['Previous', 'Next']} />
      </article>
      <TableOfContents toc={doc.broken ? [] : doc.toc} markdown={`${doc.path}.md`} />
    </div>
  );
}
