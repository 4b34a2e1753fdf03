import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Job } from '../../contract/jobs/jobs.ts';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { FormField } from '../parts/FormField.tsx';
import { titleOf } from './words.ts';

/** Changes the name that people see; the job's technical name on both sides stays the same. */
export function Rename({ job }: { job: Job }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="link-button job-rename" onClick={() => setOpen(true)}>
        Rename
      </button>
      <Dialog title={`Rename ${titleOf(job)}`} open={open} onClose={() => setOpen(false)}>
        <NameForm job={job} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function NameForm({ job, onDone }: { job: Job; onDone: () => void }) {
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
