import type { ReactNode } from 'react';

/** Something to know before continuing. */
export function Notice({ children }: { children: ReactNode }) {
  return <p className="notice">{children}</p>;
}
