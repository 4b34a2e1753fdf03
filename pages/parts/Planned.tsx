import type { Planned as PlannedFor } from '../../client/contract/reading.ts';

/**
 * Says above a text that the part of the service it describes does not run yet; `later` means that no release includes
 * it.
 */
export function Planned({ planned }: { planned: PlannedFor | undefined }) {
  if (planned === undefined) return null;
  const { release, note } = planned;
  return (
    <div className="prose planned">
      <section className="admonition admonition-info" aria-label="Planned">
        <p className="admonition-title">{release === 'later' ? 'Planned' : `Planned for release ${release}`}</p>
        <p>
          What this page says about the service is not released yet. What it says about other systems is true today.
          {release === 'later' && ' No release includes it so far.'}
          {note && (
            <>
              {' '}
              The <a href={note}>release note</a> describes the scope.
            </>
          )}
        </p>
      </section>
    </div>
  );
}
