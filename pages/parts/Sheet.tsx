import type { ReactNode } from 'react';

/** Frame of a wide table: scrolls inside itself, by keyboard too. */
export function Sheet({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard
    <section className="sheet" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
