import { jobActions } from '../../../client/contract/jobs/jobs.ts';
import { type JobState, transitions } from '../state.ts';

/** A state's name in tables and drawings: its status, or its life cycle if the job cannot be used. */
export function nameOf({ lifeCycle, status }: Pick<JobState, 'lifeCycle' | 'status'>): string {
  return lifeCycle === 'CREATED' ? status : lifeCycle;
}

/**
 * The life of a job as a Mermaid flowchart, which pages draw: a line for each event and the state that it leads to,
 * `==>` if a user asks for it. Phases are left out.
 */
export function lifeOfAJob(): string {
  const from = new Map<string, Set<string>>();
  for (const { on, lifeCycle, statuses, to } of transitions)
    for (const status of statuses) {
      const way = `${jobActions.some((action) => action === on) ? '==>' : '-->'}|${on}| ${nameOf({ lifeCycle, status, ...to })}`;
      from.set(way, (from.get(way) ?? new Set()).add(nameOf({ lifeCycle, status })));
    }
  const lines = [...from].map(([way, states]) => `  ${[...states].join(' & ')} ${way}`);
  return ['```mermaid states title="Life of a job"', 'flowchart TB', ...lines, '```'].join('\n');
}
