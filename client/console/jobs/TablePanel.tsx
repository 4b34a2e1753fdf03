import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job, JobTable } from '../../contract/jobs/jobs.ts';
import { useChange } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Failed } from '../parts/Failed.tsx';
import { State } from '../parts/State.tsx';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { ParkedRows } from './ParkedRows.tsx';
import { rows, tableWords } from './words.ts';

const skips = ['paused', 'blocked'];
const ends = ['done', 'removed'];
const skippedHint =
  'Its changes are dropped while it waits, so it is copied again when it goes on. The other tables go on meanwhile.';
const resyncHint =
  'A resync copies its rows again, chunk by chunk, and deletes those that the source lacks. The table stays readable.';

/** One table of a job, and what can be done with it alone. */
export function TablePanel({ job, table }: { job: Job; table: JobTable }) {
  const isSkipped = skips.includes(table.state);
  const isDamaged = table.fault?.code === 'TABLE_DAMAGED';
  const part = useRef<HTMLDivElement>(null);
  useKeptFocus(part);
  const isRunning = job.currTaskStatus === 'RUNNING' && !ends.includes(table.state);
  const isComplete = job.lifeCycleState === 'CREATED' && job.dataTaskState === 'COMPLETE';
  const canRetry = isRunning || isComplete;
  return (
    <div className="job-table-panel" ref={part} tabIndex={-1}>
      <dl className="console-facts">
        <dt>State</dt>
        <dd>
          <State tone={tableWords[table.state].tone}>{tableWords[table.state].label}</State>
        </dd>
        <dt>At the target</dt>
        <dd>{table.target}</dd>
        <dt>Rows copied</dt>
        <dd className="figure">
          {rows(table.rows)} of about {rows(table.estimate)}
        </dd>
        <dt>Parked rows</dt>
        <dd className="figure">{rows(table.parked)}</dd>
      </dl>
      {table.fault && <Fault fault={table.fault} />}
      {isComplete ? (
        <p className="field-hint">The job is complete: a replay copies its tables again.</p>
      ) : (
        !isDamaged && <TableActions job={job} table={table} isRunning={isRunning} isSkipped={isSkipped} />
      )}
      {table.parked > 0 && !isDamaged && (
        <ParkedRows job={job} table={table} canRetry={canRetry && !isSkipped} isComplete={isComplete} />
      )}
    </div>
  );
}

function Fault({ fault: { sentence, hint, code } }: { fault: NonNullable<JobTable['fault']> }) {
  return (
    <div className="notice job-fault">
      <p>
        <strong>{sentence}</strong>
      </p>
      <p>{hint}</p>
      <p className="field-hint">
        <code>{code}</code>
      </p>
    </div>
  );
}

interface TableActionsProps {
  job: Job;
  table: JobTable;
  isRunning: boolean;
  isSkipped: boolean;
}

/** What a person can ask of the table, and what it would do. */
function TableActions({ job, table, isRunning, isSkipped }: TableActionsProps) {
  return (
    <>
      {isRunning ? (
        <div className="console-actions">
          {isSkipped ? (
            <TableAction job={job} table={table} path={jobCalls.resumeTable}>
              {table.skipped ? 'Resume with a resync' : 'Resume'}
            </TableAction>
          ) : (
            <TableAction job={job} table={table} path={jobCalls.pauseTable}>
              Pause
            </TableAction>
          )}
          <TableAction job={job} table={table} path={jobCalls.resyncTable}>
            Resync
          </TableAction>
        </div>
      ) : (
        <p className="field-hint">A table can be paused and resynced while its job runs.</p>
      )}
      <p className="field-hint">{isSkipped ? skippedHint : resyncHint}</p>
    </>
  );
}

interface TableActionProps {
  job: Job;
  table: JobTable;
  path: typeof jobCalls.pauseTable | typeof jobCalls.resumeTable | typeof jobCalls.resyncTable;
  children: string;
}

function TableAction({ job, table, path, children }: TableActionProps) {
  const queries = useQueryClient();
  const change = useChange<JobTable, { jobId: number; table: string }>(path, {
    onSuccess: () => queries.invalidateQueries({ queryKey: [jobCalls.jobDetail] }),
  });
  return (
    <>
      <BusyButton busy={change.isPending} onPress={() => change.mutate({ jobId: job.dataJobId, table: table.id })}>
        {children}
      </BusyButton>
      {change.error && <Failed sentence={change.error.message} />}
    </>
  );
}
