import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job } from '../../contract/jobs/jobs.ts';
import { useChange } from '../calls.ts';
import { Confirm } from '../parts/Confirm.tsx';
import { Failed } from '../parts/Failed.tsx';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { actionWords, type OfferedAction, titleOf } from './words.ts';

const paths = {
  activate: jobCalls.activateJob,
  start: jobCalls.startJob,
  stop: jobCalls.stopJob,
  restart: jobCalls.restartJob,
  replay: jobCalls.replayJob,
  detach: jobCalls.detachJob,
  attach: jobCalls.attachJob,
  delete: jobCalls.deleteJob,
  leaveRest: jobCalls.deleteJob,
} as const satisfies Record<OfferedAction, string>;

/** The actions that a job allows now; those that cannot be undone ask for confirmation. */
export function Actions({ job }: { job: Job }) {
  const [asking, setAsking] = useState<OfferedAction>();
  const part = useRef<HTMLFieldSetElement>(null);
  useKeptFocus(part);
  return (
    <fieldset className="console-actions job-actions" ref={part} tabIndex={-1}>
      <legend className="visually-hidden">Actions</legend>
      {actionsOf(job).map((action) => (
        <Action key={action} job={job} action={action} asking={asking === action} onAsk={setAsking} />
      ))}
      <Link className="button" href={`/console/new-job?like=${job.dataJobId}`}>
        Duplicate
      </Link>
    </fieldset>
  );
}

function actionsOf({ possible, lifeCycleState, fault }: Job): OfferedAction[] {
  // Its deletion has failed, and is tried again.
  if (lifeCycleState === 'DELETING' && fault && fault.nextTryAt !== null) return ['leaveRest'];
  // A job that never ran can be activated or started, which is the same.
  return possible.filter((action) => action !== 'activate' || !possible.includes('start'));
}

interface ActionProps {
  job: Job;
  action: OfferedAction;
  asking: boolean;
  onAsk: (action: OfferedAction | undefined) => void;
}

function Action({ job, action, asking, onAsk }: ActionProps) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const path = action === 'delete' && job.practice ? jobCalls.deletePractice : paths[action];
  const change = useChange<unknown, { jobId: number; autoStart?: boolean; leaveRest?: boolean }>(path, {
    async onSuccess() {
      onAsk(undefined);
      if (action === 'delete' || action === 'leaveRest') go('/console/jobs');
      else await queries.invalidateQueries({ queryKey: [jobCalls.jobDetail] });
      await queries.invalidateQueries({ queryKey: [jobCalls.listJobs] });
    },
  });
  const { label, warning } = actionWords[action];
  const send = () =>
    change.mutate({
      jobId: job.dataJobId,
      ...(action === 'replay' && { autoStart: true }),
      ...(action === 'leaveRest' && { leaveRest: true }),
    });
  return (
    <>
      <button
        type="button"
        className={action === 'start' || action === 'activate' ? 'button button-primary' : 'button'}
        aria-disabled={change.isPending}
        onClick={() => {
          if (change.isPending) return;
          if (warning) onAsk(action);
          else send();
        }}
      >
        {label}
      </button>
      {change.error && !asking && <Failed sentence={change.error.message} />}
      {warning && (
        <Confirm
          title={`${label} ${titleOf(job)}?`}
          open={asking}
          action={label}
          busy={change.isPending}
          error={change.error}
          onConfirm={send}
          onClose={() => onAsk(undefined)}
        >
          <p>
            {job.practice && action === 'delete' ? 'The job, both files and their data sources are deleted.' : warning}
          </p>
        </Confirm>
      )}
    </>
  );
}
