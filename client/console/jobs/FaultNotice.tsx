import type { JobFault } from '../../contract/jobs/jobs.ts';
import { Moment } from '../parts/Moment.tsx';

/** What happened, what to do, and who tries again. */
export function FaultNotice({ fault }: { fault: JobFault }) {
  return (
    <div className="notice job-fault" role="alert">
      <p>
        <strong>{fault.sentence}</strong>
      </p>
      <p>{fault.hint}</p>
      <p className="field-hint">
        <code>{fault.code}</code> since <Moment at={fault.at} />
        {fault.nextTryAt !== null && (
          <>
            {' '}
            · tries again at <Moment at={fault.nextTryAt} />
          </>
        )}
      </p>
    </div>
  );
}
