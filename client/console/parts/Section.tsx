import { type ReactNode, useId } from 'react';

/** A section of a page with its own heading. */
export function Section({ title, lede, children }: { title: string; lede?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="console-section" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lede && <p className="console-lede">{lede}</p>}
      {children}
    </section>
  );
}
