import { useEffect, useRef, useState } from 'react';
import { copyText } from '../browser/clipboard.ts';

const shownFor = 2000;

/** Copies a text and shows the outcome for a moment; `name` tells screen readers what is copied. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const button = useRef<HTMLButtonElement>(null);
  const [outcome, setOutcome] = useState('');

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(''), shownFor);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(): Promise<void> {
    if (!button.current) return;
    const copied = copyText(() => text, button.current);
    setOutcome(
      await copied.then(
        () => 'Copied',
        () => 'Not copied',
      ),
    );
  }

  return (
    <>
      <button type="button" className="button" ref={button} onClick={() => void copy()}>
        {outcome || 'Copy'} <span className="visually-hidden">{name}</span>
      </button>
      <span role="status" className="visually-hidden">
        {outcome}
      </span>
    </>
  );
}
