/** Shown instead of a text whose file could not be compiled. */
export function BrokenText({ file, broken }: { file: string; broken: string[] }) {
  return (
    <div className="prose">
      <section className="admonition admonition-danger" aria-labelledby="broken-title">
        <p className="admonition-title" id="broken-title">
          This text cannot be shown
        </p>
        <p>
          Its file <code>{file}</code> has {broken.length === 1 ? 'a fault' : 'faults'}, so none of it is shown rather
          than half of it:
        </p>
        <ul>
          {broken.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p>Other pages are not affected. This one returns once the file is fixed.</p>
      </section>
    </div>
  );
}
