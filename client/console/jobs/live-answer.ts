import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** Keeps a page whose call does not end from growing. */
const mostKept = 2_000;
/** A call that fails is not repeated sooner, in milliseconds. */
const renewAfterMs = 5_000;

type Change<Answer> = (known: Answer | undefined) => Answer | undefined;

/**
 * A call's cached answer, changed by live events. An answer that is under way may be older than an event that arrives
 * meanwhile, and takes the place of what is cached: so it gets the changes of that time again, which must be harmless.
 */
export function liveAnswer<Answer>(queries: QueryClient, queryKey: QueryKey) {
  const hash = hashKey(queryKey);
  const state = () => queries.getQueryState(queryKey);
  let kept: Change<Answer>[] = [];
  /** Changes are no answers, although the cache counts them as such. */
  let answeredAt = state()?.dataUpdatedAt ?? 0;
  let renewedAt = 0;
  const renew = () => {
    renewedAt = Date.now();
    void queries.invalidateQueries({ queryKey });
  };

  const end = queries.getQueryCache().subscribe((notice) => {
    if (notice.type !== 'updated' || notice.query.queryHash !== hash) return;
    const { action } = notice;
    const changes = kept;
    if (action.type === 'success' && !action.manual) {
      kept = [];
      answeredAt = Date.now();
      queries.setQueryData<Answer>(queryKey, (known) => changes.reduce((after, change) => change(after), known));
    } else if (action.type === 'fetch' || action.type === 'error') kept = [];
  });

  return {
    change(change: Change<Answer>) {
      if (state()?.fetchStatus === 'fetching') kept.push(change);
      if (kept.length > mostKept) kept.shift();
      queries.setQueryData<Answer>(queryKey, change);
    },
    renew,
    /** Calls again, and until it is answered, if the last answer came before a moment, in epoch milliseconds. */
    renewIfBefore(moment: number) {
      if (answeredAt === 0 || answeredAt >= moment) return;
      const waits = state()?.fetchStatus !== 'idle' || Date.now() - renewedAt < renewAfterMs;
      if (renewedAt < moment || !waits) renew();
    },
    end,
  };
}
