import type { Finding } from '../../contract/jobs/new-job.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { State, type Tone } from '../parts/State.tsx';

const results: Record<Finding['result'], { tone: Tone; label: string }> = {
  fault: { tone: 'bad', label: 'Fault' },
  warning: { tone: 'waits', label: 'Warning' },
  passed: { tone: 'good', label: 'Passed' },
};
const order: Finding['result'][] = ['fault', 'warning', 'passed'];

interface FindingsProps {
  findings: readonly Finding[];
  /** The findings are about one data source, which is not yet a side of a job. */
  ofOne?: boolean;
}

/** What a check found, faults first, each with the statement that fixes it; all fixes for faults also as one script. */
export default function Findings({ findings, ofOne = false }: FindingsProps) {
  const sorted = findings.toSorted((one, other) => order.indexOf(one.result) - order.indexOf(other.result));
  const script = scriptOf(findings, ofOne);
  return (
    <>
      <ul className="console-list job-findings">
        {sorted.map(({ result, sentence, sql, side, table }) => (
          <li key={`${side} ${table} ${sentence}`}>
            <span>
              {sentence}
              <small className="job-message">{[...(ofOne ? [] : [side]), ...(table ? [table] : [])].join(', ')}</small>
            </span>
            <State tone={results[result].tone}>{results[result].label}</State>
            {sql && result !== 'passed' && <code className="job-sql">{sql}</code>}
          </li>
        ))}
      </ul>
      {script !== '' && (
        <details className="job-figures">
          <summary>Fix all faults: one script for the database administrator</summary>
          <div className="console-copy">
            <code className="job-sql">{script}</code>
            <CopyButton text={script} name="the script" />
          </div>
        </details>
      )}
    </>
  );
}

/**
 * The statements for all faults, each once, grouped by the side on which to run them. Statements of warnings are left
 * out, as each needs a decision: they drop a slot or end a session that may no longer be needed.
 */
function scriptOf(findings: readonly Finding[], ofOne: boolean): string {
  const wanted = findings.filter(({ result }) => result === 'fault');
  const parts = (['source', 'target'] as const).flatMap((side) => {
    const statements = wanted.flatMap((one) => (one.sql && one.side === side ? [ended(one.sql)] : []));
    const title = ofOne ? [] : [`-- On the ${side}`];
    return statements.length === 0 ? [] : [[...title, ...new Set(statements)].join('\n')];
  });
  return parts.join('\n\n');
}

const ended = (sql: string) => (sql.trimEnd().endsWith(';') ? sql : `${sql};`);
