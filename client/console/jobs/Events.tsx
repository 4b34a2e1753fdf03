import type { JobEvent } from '../../contract/jobs/jobs.ts';
import { Moment } from '../parts/Moment.tsx';
import { State, type Tone } from '../parts/State.tsx';

const levels: Record<JobEvent['level'], { tone: Tone; label: string }> = {
  info: { tone: 'over', label: 'Note' },
  warning: { tone: 'waits', label: 'Warning' },
  error: { tone: 'bad', label: 'Fault' },
};

/** A job's events, newest first. */
export function Events({ events }: { events: readonly JobEvent[] }) {
  if (events.length === 0) return <p className="console-lede">Nothing has happened yet.</p>;
  return (
    <ol className="console-list">
      {events.map(({ id, at, level, table, sentence }) => (
        <li key={id}>
          <span>
            {sentence}
            {table && <small className="job-message">{table}</small>}
          </span>
          <State tone={levels[level].tone}>{levels[level].label}</State>
          <Moment at={at} />
        </li>
      ))}
    </ol>
  );
}
