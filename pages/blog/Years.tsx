import type { Year } from '../../client/contract/pages.ts';
import { Sidebar } from '../parts/Sidebar.tsx';

/** The blog's sidebar: every post, grouped by year. */
export function Years({ years, path }: { years: Year[]; path?: string }) {
  const nodes = years.map(({ year, posts }) => ({ label: year, items: posts }));
  return (
    <Sidebar
      label="Posts by year"
      button="Posts by year"
      nodes={nodes}
      path={path ?? ''}
      open={path ? 'current' : 'all'}
    />
  );
}
