import { useQueryClient } from '@tanstack/react-query';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job, JobTable } from '../../contract/jobs/jobs.ts';
import { useChange } from '../calls.ts';
import { Failed } from '../parts/Failed.tsx';
import { State } from '../parts/State.tsx';
import { ParkedRows } from './ParkedRows.tsx';
import { rows, tableWords } from './words.ts';

const skips = ['paused', 'blocked'];

/** One table of a job, and what can be done with it alone. */
export function TablePanel({ job, table }: { job: Job; table: JobTable }) {
  const isSkipped = skips.includes(table.state);
  const isRunning = job.currTaskStatus === 'RUNNING' && table.state !== 'done' && table.state !== 'removed';
  return (
    <>
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
      {table.fault && (
        <div className="notice job-fault">
          <p>
            <strong>{table.fault.sentence}</strong>
          </p>
          <p>{table.fault.hint}</p>
          <p className="field-hint">
            <code>{table.fault.code}</code>
          </p>
        </div>
      )}
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
      <p className="field-hint">
        {isSkipped
          ? 'Its changes are dropped while it waits, so it is copied again when it goes on. The other tables go on meanwhile.'
          : 'A resync copies its rows again, chunk by chunk, and deletes those that the source lacks. The table stays readable.'}
      </p>
      {table.parked > 0 && <ParkedRows job={job} table={table} canRetry={isRunning && !isSkipped} />}
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
      <button
        type="button"
        className="button"
        disabled={change.isPending}
        onClick={() => change.mutate({ jobId: job.dataJobId, table: table.id })}
      >
        {children}
      </button>
      {change.error && <Failed sentence={change.error.message} />}
    </>
  );
}
