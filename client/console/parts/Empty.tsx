import type { ReactNode } from 'react';

/** What to do where there is nothing yet. */
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
