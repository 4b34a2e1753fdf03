/** What an author has to fix in a page's file; shown only in development. */
export function Faults({ file, faults }: { file: string; faults: string[] | undefined }) {
  if (!faults) return null;
  return (
    <div className="prose">
      <section className="admonition admonition-danger" aria-label="Faults">
        <p className="admonition-title">To be fixed in {file}</p>
        <ul>
          {faults.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      </section>
    </div>
  );
}
