import type { Finding } from '../../contract/jobs/new-job.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { State, type Tone } from '../parts/State.tsx';

const results: Record<Finding['result'], { tone: Tone; label: string }> = {
  fault: { tone: 'bad', label: 'Fault' },
  warning: { tone: 'waits', label: 'Warning' },
  passed: { tone: 'good', label: 'Passed' },
};
const order: Finding['result'][] = ['fault', 'warning', 'passed'];

/** What a check found, faults first, each with the statement that mends it; all statements together as one script. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const sorted = findings.toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result));
  const script = sorted.flatMap(({ result, sql }) => (sql && result !== 'passed' ? [sql] : []));
  return (
    <>
      <ul className="console-list job-findings">
        {sorted.map(({ result, sentence, sql, side, table }) => (
          <li key={`${side} ${table} ${sentence}`}>
            <span>
              {sentence}
              <small className="job-message">
                {side}
                {table && `, ${table}`}
              </small>
            </span>
            <State tone={results[result].tone}>{results[result].label}</State>
            {sql && result !== 'passed' && <code className="job-sql">{sql}</code>}
          </li>
        ))}
      </ul>
      {script.length > 0 && (
        <div className="console-actions">
          <CopyButton text={[...new Set(script)].join('\n')} name="all statements as one script" />
          <span className="field-hint">All statements as one script for the database administrator.</span>
        </div>
      )}
    </>
  );
}
