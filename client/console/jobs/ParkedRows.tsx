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
  /** Whether the job's process can be asked to retry rows. */
  canRetry: boolean;
  /** Whether the job has ended: it runs again to retry rows. */
  isComplete: boolean;
}

/** A table's rows that the target refused: which, why, and a way to retry them. */
export function ParkedRows({ job, table, canRetry, isComplete }: ParkedRowsProps) {
  const part = useRef<HTMLElement>(null);
  useKeptFocus(part);
  // The row number after which each opened page begins.
  const [turned, setTurned] = useState([0]);
  const after = turned.at(-1) ?? 0;
  const named = { jobId: job.dataJobId, table: table.id };
  const parked = useCall<Answer>(jobCalls.parkedRows, { ...named, after, limit: pageSize });
  const retry = useChange<JobTable, { jobId: number; table: string; row: number | null }>(jobCalls.retryTable);
  const { refetch } = parked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new live count means that the list has changed
  useEffect(() => void refetch(), [table.parked, refetch]);
  return (
    <section className="job-parked-rows" aria-labelledby="parked-rows" ref={part} tabIndex={-1}>
      <h3 id="parked-rows">Parked rows ({rows(table.parked)})</h3>
      <p className="field-hint">
        The target refused these rows: it lacks them, or still has their old values.
        {!isComplete && ' Later changes to a row wait with it.'} Correct the row at the source or make room for it at
        the target, then retry: the row is read from the source again.
        {isComplete && ' The job runs only for that, and stays complete.'}
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
            {page.rows.length === 0 && <p role="status">No rows on this page are parked any more.</p>}
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
          'Retry requested. Rows that the target now accepts leave this list; the events say how many it refuses again.'}
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
