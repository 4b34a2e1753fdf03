import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { counted } from '../../contract/counted.ts';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job, JobSide } from '../../contract/jobs/jobs.ts';
import { ask, useCall } from '../calls.ts';
import { Empty } from '../parts/Empty.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { State } from '../parts/State.tsx';
import { Table } from '../parts/Table.tsx';
import type { TableColumn } from '../parts/table-column.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import './jobs.css';
import { Beads } from './Beads.tsx';
import { Lag, NoFigure } from './Lag.tsx';
import { useLive } from './live.ts';
import { PracticeButton } from './PracticeButton.tsx';
import { Sparkline } from './Sparkline.tsx';
import { byTrouble, sideName, standsStill, stateOf, titleOf } from './words.ts';

/** Every job of the account, those with trouble first; the filter text is kept in the address. */
export default function Jobs() {
  const jobs = useCall<Job[]>(jobCalls.listJobs, {});
  const live = useLive();
  return (
    <Loaded query={jobs} lines={6}>
      {(list) => (list.length === 0 ? <NoJobs /> : <JobList jobs={list} live={live} />)}
    </Loaded>
  );
}

function NoJobs() {
  return (
    <Empty title="Connect two databases">
      <p>A job copies the rows of one database to another, then follows every change, and resumes after any fault.</p>
      <div className="console-actions">
        <Link className="button button-primary" href="/console/new-job">
          New job
        </Link>
        <PracticeButton />
      </div>
      <p className="field-hint">
        The practice pair is two files on this server and a job between them. It needs nothing installed, and deleting
        it leaves nothing behind.
      </p>
    </Empty>
  );
}

function JobList({ jobs, live }: { jobs: Job[]; live: boolean }) {
  const part = useRef<HTMLDivElement>(null);
  useKeptFocus(part);
  const [query, setQuery] = useSearchParams();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const wanted = query.get('q')?.toLowerCase() ?? '';
  const shown = jobs.filter((job) => textOf(job).includes(wanted)).toSorted(byTrouble);
  const choose = (id: number) =>
    setChosen((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));
  const isAll = shown.length > 0 && shown.every(({ dataJobId }) => chosen.has(dataJobId));
  const chooseAll = () => setChosen(new Set(isAll ? [] : shown.map(({ dataJobId }) => dataJobId)));
  return (
    <div className="job-list" ref={part} tabIndex={-1}>
      <div className="job-bar">
        <label className="visually-hidden" htmlFor="job-filter">
          Filter jobs
        </label>
        <input
          id="job-filter"
          className="input"
          type="search"
          placeholder="Filter by name, system or state"
          value={query.get('q') ?? ''}
          onChange={({ target }) => setQuery(target.value ? { q: target.value } : {}, { replace: true })}
        />
        <button type="button" className="button" disabled={shown.length === 0} onClick={chooseAll}>
          {isAll ? 'Select none' : `Select all ${shown.length}`}
        </button>
        <Link className="button button-primary" href="/console/new-job">
          New job
        </Link>
        <PracticeButton />
      </div>
      <Many jobs={jobs.filter(({ dataJobId }) => chosen.has(dataJobId))} onDone={() => setChosen(new Set())} />
      {shown.length === 0 ? (
        <p role="status">No job matches “{query.get('q')}”.</p>
      ) : (
        <Table
          label="Jobs"
          columns={columns(chosen, choose)}
          rows={shown}
          rowId={({ dataJobId }) => String(dataJobId)}
        />
      )}
      {!live && (
        <p className="field-hint" role="status">
          Not live right now: connecting …
        </p>
      )}
    </div>
  );
}

/** Starts or stops all selected jobs. */
function Many({ jobs, onDone }: { jobs: Job[]; onDone: () => void }) {
  const [failed, setFailed] = useState<string[]>([]);
  const [told, tell] = useState('');
  const [busy, setBusy] = useState(false);
  const run = async (action: 'start' | 'stop') => {
    setBusy(true);
    const path = action === 'start' ? jobCalls.startJob : jobCalls.stopJob;
    const able = jobs.filter(({ possible }) => possible.includes(action));
    const results = await Promise.allSettled(able.map(({ dataJobId }) => ask(path, { jobId: dataJobId })));
    const sentences = results.flatMap((result, at) => {
      const job = able[at];
      return result.status === 'rejected' && job ? [`${titleOf(job)}: ${result.reason.message}`] : [];
    });
    setFailed(sentences);
    const done = able.length - sentences.length;
    tell(`${counted(done, 'job')} ${action === 'start' ? 'started' : 'asked to stop'}.`);
    setBusy(false);
    onDone();
  };
  const able = (action: 'start' | 'stop') => jobs.some(({ possible }) => possible.includes(action));
  return (
    <>
      <p className="visually-hidden" role="status">
        {told}
      </p>
      {jobs.length === 0 && failed.map((sentence) => <Failed key={sentence} sentence={sentence} />)}
      {jobs.length > 0 && (
        <fieldset className="job-bar">
          <legend className="visually-hidden">Selected jobs</legend>
          <span>{counted(jobs.length, 'job')} selected</span>
          <button type="button" className="button" disabled={busy || !able('start')} onClick={() => void run('start')}>
            Start
          </button>
          <button type="button" className="button" disabled={busy || !able('stop')} onClick={() => void run('stop')}>
            Stop
          </button>
        </fieldset>
      )}
    </>
  );
}

function columns(chosen: ReadonlySet<number>, choose: (id: number) => void): TableColumn<Job>[] {
  return [
    {
      name: 'Job',
      cell: (job) => (
        <span className="job-name">
          <input
            type="checkbox"
            aria-label={`Select ${titleOf(job)}`}
            checked={chosen.has(job.dataJobId)}
            onChange={() => choose(job.dataJobId)}
          />
          <span>
            <Link href={`/console/job?id=${job.dataJobId}`}>{titleOf(job)}</Link>
            <small>
              {sideOf(job.sourceDsVO)} <span aria-hidden="true">→</span>
              <span className="visually-hidden">to</span> {sideOf(job.targetDsVO)}
            </small>
          </span>
        </span>
      ),
    },
    {
      name: 'State',
      cell: (job) => {
        const { tone, label } = stateOf(job);
        return (
          <span className="job-state">
            <State tone={tone}>{label}</State>
            <Beads job={job} />
          </span>
        );
      },
    },
    {
      name: 'Tables',
      figure: true,
      cell: (job) => <TableCount job={job} />,
    },
    { name: 'Lag', figure: true, cell: (job) => <Lag job={job} /> },
    { name: 'Last hour', cell: (job) => <Sparkline lags={job.lagByMinute} /> },
  ];
}

/** How many of a job's tables it keeps up to date or has copied. */
function TableCount({ job }: { job: Job }) {
  const { dataJobType, tables } = job;
  if (tables.total === 0) return <NoFigure words="not known yet" />;
  const isStill = standsStill(job) && tables.live > 0;
  return (
    <span className="job-tables">
      <span className={isStill ? 'job-none' : undefined} title={isStill ? 'When it stopped' : undefined}>
        {/* A job that creates only the structure copies no tables. */}
        {dataJobType === 'STRUCT_MIGRATION' ? tables.total : `${tables.live + tables.done} of ${tables.total}`}
        {isStill && <span className="visually-hidden"> when it stopped</span>}
      </span>
      {/* A running job's state already names them. */}
      {tables.blocked > 0 && job.currTaskStatus !== 'RUNNING' && (
        <small className="job-blocked">{tables.blocked} blocked</small>
      )}
    </span>
  );
}

const sideOf = (side: JobSide) => `${side.dataSourceType} ${sideName(side)}`;

function textOf(job: Job): string {
  const { label } = stateOf(job);
  return [titleOf(job), job.dataJobName, sideOf(job.sourceDsVO), sideOf(job.targetDsVO), label].join(' ').toLowerCase();
}
