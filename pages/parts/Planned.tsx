import type { Planned as PlannedFor } from '../../client/contract/reading.ts';

/**
 * A box above a text that says that what it describes of the service does not run yet; `later` is in the scope of no
 * release.
 */
export function Planned({ planned }: { planned: PlannedFor | undefined }) {
  if (planned === undefined) return null;
  const { release, note } = planned;
  return (
    <div className="prose planned">
      <section className="admonition admonition-info" aria-label="Planned">
        <p className="admonition-title">{release === 'later' ? 'Planned' : `Planned for release ${release}`}</p>
        <p>
          What this page says of the service is not released yet. What it says of other systems is true today.
          {release === 'later' && ' It is in the scope of no release so far.'}
          {note && (
            <>
              {' '}
              The <a href={note}>release note</a> has the scope.
            </>
          )}
        </p>
      </section>
    </div>
  );
}
