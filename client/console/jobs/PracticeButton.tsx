import { useLocation } from 'wouter';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { PracticePair } from '../../contract/jobs/live-events.ts';
import { useChange } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Failed } from '../parts/Failed.tsx';

/** Creates two files, the source being written to all the time, with a job between them, and opens that job. */
export function PracticeButton({ primary = false }: { primary?: boolean }) {
  const [, go] = useLocation();
  const make = useChange<PracticePair, object>(jobCalls.createPractice, {
    onSuccess: ({ jobId }) => go(`/console/job?id=${jobId}`),
  });
  return (
    <>
      <BusyButton
        busy={make.isPending}
        className={primary ? 'button button-primary' : 'button'}
        onPress={() => make.mutate({})}
      >
        Try the practice pair
      </BusyButton>
      {make.error && <Failed sentence={make.error.message} />}
    </>
  );
}
