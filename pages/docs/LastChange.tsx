import type { Doc } from '../../client/contract/reading.ts';
import { LongDate } from '../../client/ui/LongDate.tsx';

/** When a document was last changed and where to propose a change; nothing if neither is known. */
export function LastChange({ doc }: { doc: Doc }) {
  if (!doc.updated && !doc.editHref) return null;
  return (
    <p className="last-change">
      {doc.editHref && <a href={doc.editHref}>Edit this page</a>}
      {doc.updated && (
        <span>
          Last updated on <LongDate iso={doc.updated} />
        </span>
      )}
    </p>
  );
}
