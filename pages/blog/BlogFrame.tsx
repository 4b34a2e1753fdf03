import type { ReactNode } from 'react';
import type { Year } from '../../client/contract/pages.ts';
import { mainText } from '../parts/main-text.ts';
import { Years } from './Years.tsx';

/** A blog list beside the sidebar of all posts. */
export function BlogFrame({ years, children }: { years: Year[]; children: ReactNode }) {
  return (
    <div className="wrap reading reading-list">
      <Years years={years} />
      <div className="reading-text" {...mainText}>
        {children}
      </div>
    </div>
  );
}
