import { useDeferredValue, useState } from 'react';
import { useLocation } from 'wouter';
import { counted } from '../../contract/counted.ts';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { Finding, JobPlan, NewJob } from '../../contract/jobs/new-job.ts';
import { useCall, useChange } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import type { JobDraft } from './draft.ts';
import { faultOfDraft } from './draft-faults.ts';
import Findings from './Findings.tsx';
import { newJobOf } from './request-of-draft.ts';
import { SameJob } from './SameJob.tsx';
import { useSettled } from './use-settled.ts';

interface CheckProps {
  draft: JobDraft;
  sources: readonly DataSource[];
  onMade: () => void;
}

/** Checks the draft as it changes: what stands in the way, what would be created, and the same job as a call. */
export function Check({ draft, sources, onMade }: CheckProps) {
  const drafted = newJobOf(draft, sources);
  const job = useSettled(useDeferredValue(drafted));
  const fault = faultOfDraft(draft);
  if (fault !== undefined) return <p className="console-lede">A line above has a mistake. {fault}</p>;
  if (!job) return <p className="console-lede">Choose both sides and at least one table.</p>;
  const isSettled = JSON.stringify(drafted) === JSON.stringify(job);
  return <Checked job={job} isSettled={isSettled} onMade={onMade} />;
}

interface CheckedProps {
  job: NewJob;
  /** Whether the job is the draft as it is now: what was changed a moment ago must not be left out. */
  isSettled: boolean;
  onMade: () => void;
}

function Checked({ job, isSettled, onMade }: CheckedProps) {
  const [, go] = useLocation();
  const check = useCall<Finding[]>(jobCalls.precheck, job);
  const make = useChange<string, NewJob>(jobCalls.createJob, {
    onSuccess(id) {
      onMade();
      go(`/console/job?id=${id}`);
    },
  });
  const faults = check.data?.filter(({ result }) => result === 'fault').length ?? 0;
  // Consent given for one source does not apply to another.
  const [agreedSource, agreeFor] = useState<number>();
  const asks = check.data?.some(({ needsConsent }) => needsConsent) ?? false;
  const agreed = !asks || agreedSource === job.srcDsId;
  const mayCreate = check.data !== undefined && !check.isError && isSettled && agreed && !make.isPending;
  return (
    <>
      <Loaded query={check} lines={4}>
        {(findings) => <Findings findings={findings} />}
      </Loaded>
      {job.structMigration && <Plan job={job} />}
      <SameJob job={job} />
      {asks && (
        <label className="field-check">
          <input
            type="checkbox"
            checked={agreed}
            onChange={({ target }) => agreeFor(target.checked ? job.srcDsId : undefined)}
          />
          <span>The job may write to the source, as the check describes.</span>
        </label>
      )}
      <div className="console-actions">
        <BusyButton className="button button-primary" busy={!mayCreate || faults > 0} onPress={() => make.mutate(job)}>
          Create and start
        </BusyButton>
        <BusyButton busy={!mayCreate} onPress={() => make.mutate({ ...job, autoStart: false })}>
          Create only
        </BusyButton>
        <BusyButton busy={check.isFetching} onPress={() => void check.refetch()}>
          {check.isFetching ? 'Checking …' : 'Check again'}
        </BusyButton>
        {faults > 0 && (
          <span role="status">
            {counted(faults, 'fault')} {faults === 1 ? 'is' : 'are'} left.
          </span>
        )}
        {faults === 0 && !agreed && <span role="status">To agree, first tick the box above.</span>}
      </div>
      {/* Older findings are shown above. */}
      {check.error && check.data && <Failed sentence={check.error.message} />}
      {make.error && <Failed sentence={make.error.message} />}
    </>
  );
}

/** The statements that create the structure at the target. */
function Plan({ job }: { job: NewJob }) {
  const plan = useCall<JobPlan>(jobCalls.planJob, job);
  return (
    <details className="job-figures">
      <summary>What is created at the target</summary>
      <Loaded query={plan} lines={4}>
        {({ statements }) => {
          const missing = statements.filter(({ exists }) => !exists);
          if (missing.length === 0) return <p>The target already has all of it.</p>;
          return (
            <ol className="console-list">
              {missing.map(({ sql, phase, note }) => (
                <li key={sql}>
                  <code className="job-sql">{sql}</code>
                  <small className="job-message">
                    {phase === 'before' ? 'before the copy' : 'after catching up'}
                    {note && ` · ${note}`}
                  </small>
                </li>
              ))}
            </ol>
          );
        }}
      </Loaded>
    </details>
  );
}
