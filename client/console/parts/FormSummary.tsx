import { useEffect, useRef } from 'react';
import type { FieldErrors } from 'react-hook-form';

interface FormSummaryProps {
  errors: FieldErrors;
  /** How often the form was sent: each time, the summary takes the focus if there is one. */
  submitCount: number;
  onFocus: (field: string) => void;
}

/** What is wrong with a form, shown above it: the server's sentence, and a link to each field. */
export function FormSummary({ errors: { root, ...fields }, submitCount, onFocus }: FormSummaryProps) {
  const summary = useRef<HTMLDivElement>(null);
  const wrong = Object.entries(fields).toSorted(([, one], [, other]) => byPlace(fieldOf(one), fieldOf(other)));
  const shown = root !== undefined || wrong.length > 0;
  useEffect(() => {
    if (submitCount > 0) summary.current?.focus();
  }, [submitCount]);
  // During the first attempt, faults are shown only at their fields.
  if (!shown || submitCount === 0) return null;
  return (
    <div className="form-errors" role="alert" tabIndex={-1} ref={summary}>
      <p>
        {root?.message ?? (wrong.length === 1 ? 'One field needs your attention.' : 'Some fields need your attention.')}
      </p>
      {wrong.length > 0 && (
        <ul>
          {wrong.map(([name, error]) => (
            <li key={name}>
              <button type="button" className="link-button" onClick={() => onFocus(name)}>
                {String(error?.message)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const fieldOf = (error: object | undefined) => (error && 'ref' in error ? error.ref : undefined);

/** Orders faults by the position of their fields on the page. */
function byPlace(one: unknown, other: unknown): number {
  if (!(one instanceof Node) || !(other instanceof Node)) return 0;
  return one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
}
