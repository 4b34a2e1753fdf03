import { type ReactNode, useId } from 'react';

/** A part of a page under a heading of its own. */
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
