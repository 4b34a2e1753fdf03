import { Link } from 'wouter';
import type { Job, JobFault, JobSide } from '../../contract/jobs/jobs.ts';
import { Moment } from '../parts/Moment.tsx';
import { sideName, sourceHref } from './words.ts';

/** Faults that are fixed in a data source's settings. */
const ofDataSources = [
  'CONNECTION_REFUSED',
  'CONNECTION_TIMED_OUT',
  'HOST_NOT_FOUND',
  'SIGN_IN_REFUSED',
  'SIGN_IN_NOT_ALLOWED',
  'TLS_FAILED',
  'TLS_NOT_OFFERED',
  'NOT_POSTGRESQL',
  'CERTIFICATE_REFUSED',
  'NETWORK_NOT_ALLOWED',
  'DATABASE_NOT_FOUND',
  'FILE_MISSING',
  'FILE_OUTSIDE',
  'FILE_UNREADABLE',
  'FILE_READ_ONLY',
  'BEHIND_A_POOLER',
  'SERVER_READ_ONLY',
];

/** What happened, what to do and where, and when the job tries again. */
export function FaultNotice({ job, fault }: { job: Job; fault: JobFault }) {
  return (
    <div className="notice job-fault" role="alert">
      <p>
        <strong>{fault.sentence}</strong>
      </p>
      <p>{fault.hint}</p>
      <Cure job={job} fault={fault} />
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

/** Links to the page where the fault is fixed. */
function Cure({ job, fault }: { job: Job; fault: JobFault }) {
  if (fault.code === 'LICENCE_LINKS')
    return (
      <p>
        <Link href="/console/settings">Open the settings</Link>
      </p>
    );
  if (!ofDataSources.includes(fault.code)) return null;
  return sidesOf(job, fault).map((side) => (
    <p key={side.id}>
      <Link href={sourceHref(side)}>Open the data source {sideName(side)}</Link>
    </p>
  ));
}

/** The sides that a fault may come from: its sentence says which, if the engine knows. */
function sidesOf({ sourceDsVO, targetDsVO }: Job, { sentence }: JobFault): JobSide[] {
  const named = [
    ...(sentence.includes('(at the source') ? [sourceDsVO] : []),
    ...(sentence.includes('(at the target') ? [targetDsVO] : []),
  ];
  return named.length > 0 ? named : [sourceDsVO, targetDsVO];
}
