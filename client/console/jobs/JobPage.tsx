import { lazy, useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { JobDetail } from '../../contract/jobs/jobs.ts';
import { Refused, useCall } from '../calls.ts';
import { Empty } from '../parts/Empty.tsx';
import { LazyPart } from '../parts/LazyPart.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { State } from '../parts/State.tsx';
import { Tabs } from '../parts/Tabs.tsx';
import './jobs.css';
import { Actions } from './Actions.tsx';
import { Beads } from './Beads.tsx';
import { Channel } from './Channel.tsx';
import { Events } from './Events.tsx';
import { FaultNotice } from './FaultNotice.tsx';
import { useLive } from './live.ts';
import { Making } from './Making.tsx';
import { Progress } from './Progress.tsx';
import { Rename } from './Rename.tsx';
import { TableGrid } from './TableGrid.tsx';
import { stateOf, titleOf } from './words.ts';

/** The chart library is loaded when the first chart is opened. */
const Charts = lazy(() => import('./Charts.tsx'));

/** One job: its state, progress, events and actions. */
export default function JobPage() {
  const [query] = useSearchParams();
  const id = Number(query.get('id'));
  if (!Number.isInteger(id) || id <= 0) return <Unknown />;
  return <OneJob key={id} id={id} />;
}

function Unknown() {
  return (
    <Empty title="There is no such job">
      <p>
        <Link href="/console/jobs">All jobs</Link>
      </p>
    </Empty>
  );
}

function OneJob({ id }: { id: number }) {
  const detail = useCall<JobDetail>(jobCalls.jobDetail, { jobId: id, span: 'HOUR' });
  const live = useLive(id);
  const [query, setQuery] = useSearchParams();
  const name = detail.data && titleOf(detail.data.job);
  // Several jobs may be open in as many tabs.
  useEffect(() => {
    if (name) document.title = `${name} · Console`;
  }, [name]);
  if (detail.error instanceof Refused && detail.error.code === 'NO_JOB') return <Unknown />;
  return (
    <Loaded query={detail} lines={8}>
      {({ job, tables, samples, events }) => (
        <>
          <div className="job-head">
            <div className="job-title">
              <h2>{titleOf(job)}</h2>
              <Rename job={job} />
              {job.dataJobDesc !== '' && <code className="job-technical">{job.dataJobName}</code>}
            </div>
            <span className="job-now">
              <span role="status">
                <State tone={stateOf(job).tone}>{stateOf(job).label}</State>
              </span>
              <Beads job={job} />
            </span>
            {!live && (
              <span className="field-hint" role="status">
                connecting …
              </span>
            )}
          </div>
          <Actions job={job} />
          {job.waitsFor && <p role="status">{job.waitsFor}</p>}
          {job.fault && <FaultNotice job={job} fault={job.fault} />}
          {job.lifeCycleState === 'CREATING' && <Making consoleJobId={job.consoleJobId} />}
          <Channel job={job} samples={samples} />
          <Progress job={job} tables={tables} samples={samples} />
          <Tabs
            label="Parts of the job"
            selected={query.get('tab')}
            onSelect={(tab) => setQuery({ id: String(id), tab }, { replace: true })}
            tabs={[
              { id: 'tables', label: `Tables (${tables.length})`, content: <TableGrid job={job} tables={tables} /> },
              {
                id: 'lag',
                label: 'Lag and rows',
                content: (
                  <LazyPart lines={8}>
                    <Charts jobId={id} samples={samples} events={events} />
                  </LazyPart>
                ),
              },
              { id: 'events', label: 'Events', content: <Events events={events} /> },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}
