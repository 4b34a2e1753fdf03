import { Link } from 'wouter';
import type { Job, JobSample, JobSide } from '../../contract/jobs/jobs.ts';
import { KeptLog } from './KeptLog.tsx';
import { Lag } from './Lag.tsx';
import { perSecond, placeOf, shortRows, sideName, size, sourceHref } from './words.ts';

/** Which side the job waits for most, in words. */
function narrowest({ waitedForSourceMs, waitedForTargetMs, copied, applied }: JobSample): string {
  const waited = waitedForSourceMs + waitedForTargetMs;
  if (copied + applied === 0) return 'Nothing is moving right now.';
  // Waiting times are measured for changes only.
  if (applied === 0) return 'Rows are being copied.';
  if (waited === 0) return '';
  const share = Math.round((100 * waitedForTargetMs) / waited);
  if (share >= 60) return `The target is the limit: ${share} % of the time goes into writing and committing.`;
  if (share <= 25) return `The source sets the pace: the target takes ${share} % of the time.`;
  return `Source and target are in balance: the target takes ${share} % of the time.`;
}

/** What is flowing between the parts of a job now. */
function flowOf(sample: JobSample | undefined) {
  if (!sample) return { read: '', queued: '', written: '', transactions: 'idle', rate: 0 };
  const { copied, applied, bytes, transactions } = sample;
  const rate = perSecond(copied + applied, sample);
  const rowRate = `${shortRows(rate)} rows/s`;
  // Bytes and transactions are counted for changes only, not for a copy.
  const isCopy = copied > 0 && applied === 0;
  return {
    read: rowRate,
    queued: isCopy ? '' : `${size(perSecond(bytes, sample))}/s`,
    written: copied > 0 ? rowRate : `${shortRows(rate)} changes/s`,
    transactions: isCopy ? 'copying' : `${shortRows(perSecond(transactions, sample))} commits/s`,
    rate,
  };
}

/** The path of the rows: source, reader, writer, target, with the current flow between them. */
export function Channel({ job, samples }: { job: Job; samples: readonly JobSample[] }) {
  const sample = samples.at(-1);
  const now = job.currTaskStatus === 'RUNNING' ? sample : undefined;
  const { read, queued, written, transactions, rate } = flowOf(now);
  return (
    <figure className="job-channel" data-moving={rate > 0 ? '' : undefined}>
      <div className="job-channel-line">
        <End side={job.sourceDsVO} />
        <Edge text={read} />
        <Station title="Reader" text={sample?.position ? `at ${placeOf(sample.position)}` : 'no position yet'} />
        <Edge text={queued} />
        <Station title="Writer" text={transactions} />
        <Edge text={written} />
        <End side={job.targetDsVO} />
      </div>
      <figcaption>
        <span>
          Lag <Lag job={job} />
        </span>
        <span>{now ? narrowest(now) : 'No process is running for this job.'}</span>
        {now && <span>Memory {size(now.memoryBytes)}</span>}
        {now && <KeptLog samples={samples} />}
      </figcaption>
    </figure>
  );
}

/** Links to the data source. */
function End({ side }: { side: JobSide }) {
  const name = sideName(side);
  return (
    <div className="job-station">
      <strong>{side.dataSourceType}</strong>
      <span title={name}>
        <Link href={sourceHref(side)}>{name}</Link>
      </span>
    </div>
  );
}

function Station({ title, text }: { title: string; text: string }) {
  return (
    <div className="job-station">
      <strong>{title}</strong>
      <span title={text}>{text}</span>
    </div>
  );
}

/** @param text a figure, a space and its unit; empty when nothing flows */
function Edge({ text }: { text: string }) {
  const [number, unit] = text.split(' ');
  return (
    <div className="job-edge">
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2="100" y1="4" y2="4" />
      </svg>
      <span className="job-edge-number figure">{number}</span> <span className="job-edge-unit">{unit}</span>
    </div>
  );
}
