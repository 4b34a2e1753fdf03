import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mayHaveNoJobs, Refused } from '../calls.ts';
import { Empty } from './Empty.tsx';
import { Failed } from './Failed.tsx';
import { Skeleton } from './Skeleton.tsx';

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  /** Lines of the skeleton while it loads. */
  lines?: number;
  children: (data: Data) => ReactNode;
}

/** A call's answer: first a skeleton; an error with Retry if it failed and there is no older answer to show. */
export function Loaded<Data>({ query, lines = 3, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  // Retrying does not help a user who must be admitted first.
  if (mayHaveNoJobs(query.error))
    return <NotForYou title="This account has no access to jobs here" error={query.error} />;
  if (query.error instanceof Refused && query.error.code === 'NOT_OWNER')
    return <NotForYou title="This page is for the owner of the installation" error={query.error} />;
  if (query.error) return <Failed sentence={query.error.message} onRetry={() => void query.refetch()} />;
  return <Skeleton lines={lines} />;
}

function NotForYou({ title, error }: { title: string; error: Error }) {
  return (
    <Empty title={title}>
      <p>{error.message}</p>
    </Empty>
  );
}
