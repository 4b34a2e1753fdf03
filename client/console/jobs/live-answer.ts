import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** Keeps a page whose call does not end from growing. */
const mostKept = 2_000;

type Change<Answer> = (known: Answer | undefined) => Answer | undefined;

/**
 * A call's cached answer, changed by live events. An answer that is under way may be older than an event that arrives
 * meanwhile, and takes the place of what is cached: so it gets the changes of that time again, which must be harmless.
 */
export function liveAnswer<Answer>(queries: QueryClient, queryKey: QueryKey) {
  const hash = hashKey(queryKey);
  let kept: Change<Answer>[] = [];

  const end = queries.getQueryCache().subscribe((notice) => {
    if (notice.type !== 'updated' || notice.query.queryHash !== hash) return;
    const { action } = notice;
    const changes = kept;
    if (action.type === 'success' && !action.manual) {
      kept = [];
      queries.setQueryData<Answer>(queryKey, (known) => changes.reduce((after, change) => change(after), known));
    } else if (action.type === 'fetch' || action.type === 'error') kept = [];
  });

  return {
    change(change: Change<Answer>) {
      if (queries.getQueryState(queryKey)?.fetchStatus === 'fetching') kept.push(change);
      if (kept.length > mostKept) kept.shift();
      queries.setQueryData<Answer>(queryKey, change);
    },
    end,
  };
}
