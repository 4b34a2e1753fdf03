import { type ReactNode, Suspense } from 'react';
import { Boundary } from './Boundary.tsx';
import { Skeleton } from './Skeleton.tsx';

/** A part whose code is loaded when it is first shown: a skeleton until then, an error with Retry if it does not load. */
export function LazyPart({ lines, children }: { lines: number; children: ReactNode }) {
  return (
    <Boundary>
      <Suspense fallback={<Skeleton lines={lines} />}>{children}</Suspense>
    </Boundary>
  );
}
