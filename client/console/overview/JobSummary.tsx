import { Link } from 'wouter';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job } from '../../contract/jobs/jobs.ts';
import { mayHaveNoJobs, useCall } from '../calls.ts';
import { useLive } from '../jobs/live.ts';
import { byTrouble, stateOf, titleOf } from '../jobs/words.ts';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Section } from '../parts/Section.tsx';
import { State } from '../parts/State.tsx';

const most = 3;

/** The first jobs, those with trouble first; nothing for an account that is not allowed any. */
export function JobSummary() {
  const jobs = useCall<Job[]>(jobCalls.listJobs, {});
  if (mayHaveNoJobs(jobs.error)) return null;
  return (
    <Section title="Jobs">
      <Loaded query={jobs}>{(list) => (list.length === 0 ? <NoJobs /> : <FirstJobs jobs={list} />)}</Loaded>
    </Section>
  );
}

function NoJobs() {
  return (
    <Empty title="No jobs yet">
      <p>
        <Link href="/console/jobs">Connect two databases</Link>, or try a pair that needs nothing installed.
      </p>
    </Empty>
  );
}

function FirstJobs({ jobs }: { jobs: readonly Job[] }) {
  useLive();
  return (
    <>
      <ul className="console-list">
        {jobs
          .toSorted(byTrouble)
          .slice(0, most)
          .map((job) => (
            <li key={job.dataJobId}>
              <Link href={`/console/job?id=${job.dataJobId}`}>{titleOf(job)}</Link>
              <State tone={stateOf(job).tone}>{stateOf(job).label}</State>
            </li>
          ))}
      </ul>
      {jobs.length > most && (
        <p className="console-more">
          <Link href="/console/jobs">All {jobs.length} jobs</Link>
        </p>
      )}
    </>
  );
}
