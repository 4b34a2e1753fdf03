import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job, JobTable } from '../../contract/jobs/jobs.ts';
import { useChange } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Confirm } from '../parts/Confirm.tsx';
import { Failed } from '../parts/Failed.tsx';
import { State } from '../parts/State.tsx';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { ParkedRows } from './ParkedRows.tsx';
import { rows, tableStateOf } from './words.ts';

const skips = ['paused', 'blocked'];
const ends = ['done', 'removed'];
const resyncHint =
  'A resync copies the table’s rows again, chunk by chunk, and deletes those that the source lacks. The table stays readable.';
const skippedHint =
  'Changes are dropped while the table waits. When it resumes, it is copied again, and rows that the source lacks are deleted. The other tables continue meanwhile.';
const keptHint =
  'The table has missed no changes so far: Resume continues from there, and copies it again only if its copy was not finished. A resync copies it again in any case.';

/** One table of a job, with the actions for that table alone. */
export function TablePanel({ job, table }: { job: Job; table: JobTable }) {
  const isSkipped = skips.includes(table.state);
  const isDamaged = table.fault?.code === 'TABLE_DAMAGED';
  const part = useRef<HTMLDivElement>(null);
  useKeptFocus(part);
  const isRunning = job.currTaskStatus === 'RUNNING' && !ends.includes(table.state);
  const isComplete = job.lifeCycleState === 'CREATED' && job.dataTaskState === 'COMPLETE';
  const canRetry = isRunning || isComplete;
  const { tone, label } = tableStateOf(table.state, job);
  return (
    <div className="job-table-panel" ref={part} tabIndex={-1}>
      <dl className="console-facts">
        <dt>State</dt>
        <dd>
          <State tone={tone}>{label}</State>
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

/** The table's actions, and what each would do. */
function TableActions({ job, table, isRunning, isSkipped }: TableActionsProps) {
  // Resuming a table that has missed changes is the same as resyncing it.
  const isBehind = isSkipped && table.skipped;
  return (
    <>
      {isRunning ? (
        <div className="console-actions">
          {isBehind ? (
            <TableAction job={job} table={table} path={jobCalls.resumeTable} question={resyncHint}>
              Resume with a resync
            </TableAction>
          ) : (
            <>
              <TableAction job={job} table={table} path={isSkipped ? jobCalls.resumeTable : jobCalls.pauseTable}>
                {isSkipped ? 'Resume' : 'Pause'}
              </TableAction>
              <TableAction job={job} table={table} path={jobCalls.resyncTable} question={resyncHint}>
                Resync
              </TableAction>
            </>
          )}
        </div>
      ) : (
        <p className="field-hint">A table can be paused and resynced while its job runs.</p>
      )}
      <p className="field-hint">{isBehind ? skippedHint : isSkipped ? keptHint : resyncHint}</p>
    </>
  );
}

interface TableActionProps {
  job: Job;
  table: JobTable;
  path: typeof jobCalls.pauseTable | typeof jobCalls.resumeTable | typeof jobCalls.resyncTable;
  /** What the action will do, shown for confirmation first; without it, the action runs at once. */
  question?: string;
  children: string;
}

function TableAction({ job, table, path, question, children }: TableActionProps) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const change = useChange<JobTable, { jobId: number; table: string }>(path, {
    async onSuccess() {
      setAsking(false);
      await queries.invalidateQueries({ queryKey: [jobCalls.jobDetail] });
    },
  });
  const send = () => change.mutate({ jobId: job.dataJobId, table: table.id });
  return (
    <>
      <BusyButton busy={change.isPending} onPress={() => (question ? setAsking(true) : send())}>
        {children}
      </BusyButton>
      {change.error && !asking && <Failed sentence={change.error.message} />}
      {question && (
        <Confirm
          title={`Resync ${table.source}?`}
          open={asking}
          action={children}
          busy={change.isPending}
          error={change.error}
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          <p>{question}</p>
        </Confirm>
      )}
    </>
  );
}
