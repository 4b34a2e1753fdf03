import { useQueryClient } from '@tanstack/react-query';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job } from '../../contract/jobs/jobs.ts';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';
import { titleOf } from './words.ts';

/** Asks for the new name of a job. */
export default function RenameForm({ job, onDone }: { job: Job; onDone: () => void }) {
  const queries = useQueryClient();
  return (
    <ConsoleForm
      name={`rename-${job.dataJobId}`}
      initial={{ name: titleOf(job) }}
      submit="Save name"
      onSend={async ({ name }) => {
        await ask<null>(jobCalls.renameJob, { jobId: job.dataJobId, dataJobDesc: name.trim() });
        await Promise.all(
          [jobCalls.jobDetail, jobCalls.listJobs].map((path) => queries.invalidateQueries({ queryKey: [path] })),
        );
        onDone();
        return undefined;
      }}
    >
      <FormField name="name" label="Name" maxLength={100} />
    </ConsoleForm>
  );
}
