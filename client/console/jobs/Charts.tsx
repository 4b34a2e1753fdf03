import { useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { JobDetail, JobEvent, JobSample, SampleSpan } from '../../contract/jobs/jobs.ts';
import { useCall } from '../calls.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { PlainTable } from '../parts/PlainTable.tsx';
import { Select } from '../parts/Select.tsx';
import type { TableColumn } from '../parts/table-column.ts';
import { useTheme } from '../parts/use-theme.ts';
import { TimeChart } from './TimeChart.tsx';
import { duration, lateMs, perSecond, shortRows } from './words.ts';

const spans: { value: SampleSpan; label: string }[] = [
  { value: 'HOUR', label: 'Last hour' },
  { value: 'DAY', label: 'Last day' },
  { value: 'MONTH', label: 'Last month' },
];

const isSpan = (text: string): text is SampleSpan => spans.some(({ value }) => value === text);

/** Live events bring the last hour alone. */
const lookEveryMs = 60_000;

interface ChartsProps {
  jobId: number;
  /** The last hour, kept up to date. */
  samples: JobSample[];
  events: JobEvent[];
}

/** Lag and rows over time, with events marked on the chart; the same figures as a table. */
export default function Charts({ jobId, samples, events }: ChartsProps) {
  const [span, setSpan] = useState<SampleSpan>('HOUR');
  const older = useCall<JobDetail>(
    jobCalls.jobDetail,
    { jobId, span },
    {
      enabled: span !== 'HOUR',
      refetchInterval: lookEveryMs,
    },
  );
  return (
    <>
      <div className="console-filter">
        <Select
          id="chart-span"
          label="Time"
          options={spans}
          value={span}
          onChange={({ target }) => isSpan(target.value) && setSpan(target.value)}
        />
      </div>
      {span === 'HOUR' ? (
        <Figures samples={samples} events={events} />
      ) : (
        <Loaded query={older} lines={8}>
          {(detail) => <Figures samples={detail.samples} events={events} />}
        </Loaded>
      )}
    </>
  );
}

function Figures({ samples, events }: Pick<ChartsProps, 'samples' | 'events'>) {
  const theme = useTheme();
  if (samples.length < 2)
    return <p className="console-lede">New figures arrive every ten seconds while the job runs.</p>;
  const pins = events.filter(({ at }) => samples[0] && at >= samples[0].at - samples[0].spanMs);
  return (
    <>
      <TimeChart
        key={`lag, ${theme}`}
        title="Lag in seconds"
        theme={theme}
        samples={samples}
        pins={pins}
        line={{ at: lateMs / 1_000, words: `Late: more than ${lateMs / 1_000} s` }}
        series={[{ label: 'Lag', value: ({ lagMs }) => (lagMs === null ? null : lagMs / 1_000) }]}
        words={(seconds) => duration(seconds * 1_000)}
      />
      <TimeChart
        key={`rows, ${theme}`}
        title="Rows per second"
        theme={theme}
        samples={samples}
        pins={[]}
        series={[
          { label: 'Copied', value: (sample) => perSecond(sample.copied, sample) },
          { label: 'Changes', value: (sample) => perSecond(sample.applied, sample) },
        ]}
        words={shortRows}
      />
      <details className="job-figures">
        <summary>The same figures as a table</summary>
        <PlainTable
          label="Figures"
          columns={columns}
          rows={samples.toReversed().slice(0, 60)}
          rowId={({ at }) => String(at)}
        />
      </details>
    </>
  );
}

const columns: TableColumn<JobSample>[] = [
  { name: 'Until', cell: ({ at }) => <Moment at={at} /> },
  { name: 'Lag', figure: true, cell: ({ lagMs }) => (lagMs === null ? '–' : duration(lagMs)) },
  { name: 'Copied rows/s', figure: true, cell: (sample) => shortRows(perSecond(sample.copied, sample)) },
  { name: 'Changes/s', figure: true, cell: (sample) => shortRows(perSecond(sample.applied, sample)) },
  { name: 'Commits/s', figure: true, cell: (sample) => shortRows(perSecond(sample.transactions, sample)) },
];
