import { useLocation } from 'wouter';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { PracticePair } from '../../contract/jobs/live-events.ts';
import { useChange } from '../calls.ts';
import { Failed } from '../parts/Failed.tsx';

/** Makes two files with a job between them, one of them written to all the time, and leads to it. */
export function PracticeButton({ primary = false }: { primary?: boolean }) {
  const [, go] = useLocation();
  const make = useChange<PracticePair, object>(jobCalls.createPractice, {
    onSuccess: ({ jobId }) => go(`/console/job?id=${jobId}`),
  });
  return (
    <>
      <button
        type="button"
        className={primary ? 'button button-primary' : 'button'}
        aria-disabled={make.isPending}
        onClick={() => make.isPending || make.mutate({})}
      >
        Try the practice pair
      </button>
      {make.error && <Failed sentence={make.error.message} />}
    </>
  );
}
