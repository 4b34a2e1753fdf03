import { lazy, useState } from 'react';
import type { Job } from '../../contract/jobs/jobs.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { LazyPart } from '../parts/LazyPart.tsx';
import { titleOf } from './words.ts';

/** Loaded with the form library, which nothing else on a job's page needs. */
const RenameForm = lazy(() => import('./RenameForm.tsx'));

/** Changes the name that people see; the job's technical name on both sides stays the same. */
export function Rename({ job }: { job: Job }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="link-button job-rename" onClick={() => setOpen(true)}>
        Rename
      </button>
      <Dialog title={`Rename ${titleOf(job)}`} open={open} onClose={() => setOpen(false)}>
        <LazyPart lines={2}>
          <RenameForm job={job} onDone={() => setOpen(false)} />
        </LazyPart>
      </Dialog>
    </>
  );
}
