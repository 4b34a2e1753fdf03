import { lazy, useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { NewJob } from '../../contract/jobs/new-job.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { LazyPart } from '../parts/LazyPart.tsx';

/** Loaded with the YAML library, which nothing else needs. */
const JobYaml = lazy(() => import('./JobYaml.tsx'));

/** The same job as a file and as a shell command. */
export function SameJob({ job }: { job: NewJob }) {
  const [opened, setOpened] = useState(false);
  const curl = curlOf(job);
  return (
    <>
      <details className="job-figures" onToggle={() => setOpened(true)}>
        <summary>The same job as YAML</summary>
        {opened && (
          <LazyPart lines={6}>
            <JobYaml job={job} />
          </LazyPart>
        )}
      </details>
      <details className="job-figures">
        <summary>The same job as a call</summary>
        <div className="console-copy">
          <code className="job-sql">{curl}</code>
          <CopyButton text={curl} name="the call" />
        </div>
        <p className="field-hint">Replace KEY.SECRET with a key from the API keys page.</p>
      </details>
    </>
  );
}

function curlOf(job: NewJob): string {
  const body = JSON.stringify(job).replaceAll("'", String.raw`'\''`);
  return `curl -X POST '${location.origin}${jobCalls.createJob}' -H 'Authorization: Bearer KEY.SECRET' -H 'Content-Type: application/json' -d '${body}'`;
}
