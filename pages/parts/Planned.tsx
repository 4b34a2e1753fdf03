/** Tells, above a text, that what it describes of the service does not run yet. */
export function Planned({ release }: { release: string | undefined }) {
  if (release === undefined) return null;
  return (
    <div className="prose">
      <section className="admonition admonition-info" aria-label="Planned">
        <p className="admonition-title">Planned for release {release}</p>
        <p>
          What this page says of the service does not run yet. What it says of other systems is true today. The{' '}
          <a href={`/docs/releaseNote/rn-${release.replaceAll('.', '-')}`}>release note</a> has the scope.
        </p>
      </section>
    </div>
  );
}
