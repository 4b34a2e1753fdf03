import type { ReactNode } from 'react';

/** An empty state: says what to do when there is nothing yet. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="console-empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
