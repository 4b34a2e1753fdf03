import { stringify } from 'yaml';
import type { NewJob } from '../../contract/jobs/new-job.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';

/** A job as a file that `npm run millrace -- job create -f job.yaml` takes. */
export default function JobYaml({ job }: { job: NewJob }) {
  const text = yamlOf(job);
  return (
    <>
      <div className="console-copy">
        <code className="job-sql">{text}</code>
        <CopyButton text={text} name="the YAML" />
      </div>
      <p className="field-hint">
        Save this as job.yaml; <code>npm run millrace -- job create -f job.yaml</code> creates the job.
      </p>
    </>
  );
}

/** Schemas and mapping are written as YAML instead of as JSON text. */
function yamlOf(job: NewJob): string {
  const { srcSchema, dstSchema, mappingDef, ...rest } = job;
  const written = { srcSchema: JSON.parse(srcSchema), dstSchema, mappingDef: JSON.parse(mappingDef) };
  return stringify({ ...rest, ...written }, { lineWidth: 0 });
}
