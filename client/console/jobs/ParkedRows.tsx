import { useEffect, useRef, useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { ParkedRows as Answer, Job, JobTable, ParkedRow } from '../../contract/jobs/jobs.ts';
import { useCall, useChange } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { parkedWords, placeOf, rows } from './words.ts';

const pageSize = 10;

interface ParkedRowsProps {
  job: Job;
  table: JobTable;
  /** Whether the job's process can be asked to try rows again. */
  canRetry: boolean;
  /** Whether the job has ended: it runs again for rows that are retried. */
  isComplete: boolean;
}

/** The rows of a table that the target refused: which, why, and trying them again. */
export function ParkedRows({ job, table, canRetry, isComplete }: ParkedRowsProps) {
  const part = useRef<HTMLElement>(null);
  useKeptFocus(part);
  // The last number before each page that was turned to.
  const [turned, setTurned] = useState([0]);
  const after = turned.at(-1) ?? 0;
  const named = { jobId: job.dataJobId, table: table.id };
  const parked = useCall<Answer>(jobCalls.parkedRows, { ...named, after, limit: pageSize });
  const retry = useChange<JobTable, { jobId: number; table: string; row: number | null }>(jobCalls.retryTable);
  const { refetch } = parked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the live count says that the list is another one
  useEffect(() => void refetch(), [table.parked, refetch]);
  return (
    <section className="job-parked-rows" aria-labelledby="parked-rows" ref={part} tabIndex={-1}>
      <h3 id="parked-rows">Parked rows ({rows(table.parked)})</h3>
      <p className="field-hint">
        The target refused these rows and lacks them, or has them as they were.
        {!isComplete && ' Later changes of a row wait with it.'} Correct the row at the source or make room at the
        target, then retry: the row is read from the source again.
        {isComplete && ' The job runs for that alone, and stays complete.'}
      </p>
      <Loaded query={parked}>
        {(page) => (
          <>
            <ol className="console-list" aria-label="Parked rows">
              {page.rows.map((row) => (
                <li key={row.number}>
                  <Described row={row} />
                  {canRetry && (
                    <BusyButton busy={retry.isPending} onPress={() => retry.mutate({ ...named, row: row.number })}>
                      Retry <span className="visually-hidden">row {row.key.join(', ')}</span>
                    </BusyButton>
                  )}
                </li>
              ))}
            </ol>
            {page.rows.length === 0 && <p role="status">No row is parked on this page any more.</p>}
            <div className="console-actions">
              {canRetry && (
                <BusyButton busy={retry.isPending} onPress={() => retry.mutate({ ...named, row: null })}>
                  Retry all
                </BusyButton>
              )}
              {turned.length > 1 && (
                <button type="button" className="button" onClick={() => setTurned(turned.slice(0, -1))}>
                  Previous rows
                </button>
              )}
              {page.next !== null && (
                <button type="button" className="button" onClick={() => setTurned([...turned, page.next ?? after])}>
                  Next rows
                </button>
              )}
            </div>
          </>
        )}
      </Loaded>
      <p role="status" className="field-hint">
        {retry.isSuccess &&
          'Asked. Rows that the target takes now leave this list; the events say how many it refuses again.'}
      </p>
      {retry.error && <Failed sentence={retry.error.message} />}
    </section>
  );
}

function Described({ row }: { row: ParkedRow }) {
  return (
    <span>
      Key <code>{row.key.join(', ')}</code>
      <small className="job-message">
        {parkedWords[row.op]}: {row.sentence} <code>{row.code}</code>
      </small>
      <small className="job-message">
        <Moment at={row.at} />
        {row.position && <>, position {placeOf(row.position)}</>}
      </small>
    </span>
  );
}
