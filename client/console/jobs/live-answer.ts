import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query';

/** Keeps a page whose call does not end from growing. */
const mostKept = 2_000;
/** A call that fails is not repeated sooner, in milliseconds. */
const renewAfterMs = 5_000;

type Change<Answer> = (known: Answer | undefined) => Answer | undefined;

/**
 * A call's cached answer, changed by live events. An answer that is under way may be older than an event that arrives
 * meanwhile, and takes the place of what is cached: so it gets the changes of that time again, which must be harmless.
 * @param versionOf grows with what is in an answer; only `renewUntil` compares it
 */
export function liveAnswer<Answer>(
  queries: QueryClient,
  queryKey: QueryKey,
  versionOf: (answer: Answer) => number = () => 0,
) {
  const hash = hashKey(queryKey);
  const state = () => queries.getQueryState(queryKey);
  let kept: Change<Answer>[] = [];
  /** Of the last answer: changes are none, although the cache counts them as such. Undefined before the first. */
  let answered = state()?.data === undefined ? undefined : -1;
  let wanted = 0;
  let renewedAt = 0;
  const renew = () => {
    renewedAt = Date.now();
    void queries.invalidateQueries({ queryKey });
  };
  const renewIfOlder = () => {
    if (answered === undefined || answered >= wanted) return;
    if (state()?.fetchStatus === 'idle' && Date.now() - renewedAt >= renewAfterMs) renew();
  };

  const end = queries.getQueryCache().subscribe((notice) => {
    if (notice.type !== 'updated' || notice.query.queryHash !== hash) return;
    const { action } = notice;
    const changes = kept;
    if (action.type === 'success' && !action.manual) {
      kept = [];
      const answer = queries.getQueryData<Answer>(queryKey);
      if (answer !== undefined) answered = versionOf(answer);
      queries.setQueryData<Answer>(queryKey, (known) => changes.reduce((after, change) => change(after), known));
      renewIfOlder();
    } else if (action.type === 'fetch' || action.type === 'error') kept = [];
  });

  return {
    change(change: Change<Answer>) {
      if (state()?.fetchStatus === 'fetching') kept.push(change);
      if (kept.length > mostKept) kept.shift();
      queries.setQueryData<Answer>(queryKey, change);
    },
    renew,
    /** Calls again if the last answer is older than a version. */
    renewUntil(version: number) {
      wanted = version;
      renewIfOlder();
    },
    renewIfOlder,
    end,
  };
}
