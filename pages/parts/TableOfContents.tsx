import { frameIds } from '../../client/contract/frame-ids.ts';
import type { TocEntry } from '../../client/contract/reading.ts';
import { Icon } from '../../client/ui/Icon.tsx';

function Entries({ toc }: { toc: TocEntry[] }) {
  return (
    <ul>
      {toc.map(({ depth, id, text }) => (
        <li key={id} className={depth === 3 ? 'toc-sub' : undefined}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  );
}

/** Headings of levels 2 and 3 in their own column, hidden if there is no room, and the link to the markdown. */
export function TableOfContents({ toc, markdown }: { toc: TocEntry[]; markdown?: string }) {
  if (toc.length === 0 && !markdown) return null;
  return (
    <aside className="toc" aria-label="About this page">
      {toc.length > 0 && (
        <nav aria-labelledby={frameIds.contents}>
          <p id={frameIds.contents}>On this page</p>
          <Entries toc={toc} />
        </nav>
      )}
      {markdown && (
        <p className="toc-end">
          <a href={markdown}>Read as Markdown</a>
        </p>
      )}
    </aside>
  );
}

/** The same list, folded above the text if the column is hidden. */
export function FoldedContents({ toc }: { toc: TocEntry[] }) {
  if (toc.length === 0) return null;
  return (
    <details className="toc-folded">
      <summary>
        On this page
        <Icon name="chevron" />
      </summary>
      <nav aria-label="On this page">
        <Entries toc={toc} />
      </nav>
    </details>
  );
}
