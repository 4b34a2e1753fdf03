import { useQueryClient } from '@tanstack/react-query';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { ConsoleJob, ConsoleTask } from '../../contract/jobs/jobs.ts';
import { useCall, useChange } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { State, type Tone } from '../parts/State.tsx';

const words: Record<ConsoleTask['taskState'], { tone: Tone; label: string }> = {
  WAIT_START: { tone: 'over', label: 'Pending' },
  EXECUTE: { tone: 'waits', label: 'In progress' },
  SUCCESS: { tone: 'good', label: 'Done' },
  FAILED: { tone: 'bad', label: 'Failed' },
  CANCELED: { tone: 'over', label: 'Cancelled' },
  SKIP: { tone: 'over', label: 'Skipped' },
};

/** What each step does, for people; the keys are the step names that programs get from the call. */
const stepWords: Record<string, string> = {
  'Read the schema': 'Read the source tables',
  'Choose a worker': 'Find a worker for the job',
  'Prepare the state machine': 'Save the job',
  Finish: 'Start the job, if requested',
};

/** When to look again, in milliseconds: live events do not report steps, and another tab may retry a failed one. */
function lookAfterMs(making: ConsoleJob | undefined): number | false {
  if (making?.taskState === 'SUCCESS' || making?.taskState === 'CANCELED') return false;
  return making?.taskState === 'FAILED' ? 5_000 : 1_000;
}

/** The steps in which a job is created; a failed step can be retried. */
export function Making({ consoleJobId }: { consoleJobId: number }) {
  const queries = useQueryClient();
  const making = useCall<ConsoleJob>(
    jobCalls.queryConsoleJob,
    { consoleJobId },
    { refetchInterval: ({ state }) => lookAfterMs(state.data) },
  );
  const retry = useChange<null, { consoleJobId: number; consoleTaskId: number }>(jobCalls.retryTask, {
    onSuccess: () => queries.invalidateQueries({ queryKey: [jobCalls.queryConsoleJob] }),
  });
  return (
    <Loaded query={making} lines={4}>
      {({ taskVOList }) => (
        <ol className="console-list job-steps">
          {taskVOList.map(({ id, stepName, taskState, message }) => (
            <li key={id}>
              <span>
                {stepWords[stepName] ?? stepName}
                {message && <small className="job-message">{message}</small>}
              </span>
              <State tone={words[taskState].tone}>{words[taskState].label}</State>
              {taskState === 'FAILED' && (
                <BusyButton busy={retry.isPending} onPress={() => retry.mutate({ consoleJobId, consoleTaskId: id })}>
                  Retry
                </BusyButton>
              )}
            </li>
          ))}
          {retry.error && <Failed sentence={retry.error.message} />}
        </ol>
      )}
    </Loaded>
  );
}
