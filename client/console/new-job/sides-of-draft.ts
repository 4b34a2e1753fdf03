import type { DataSource } from '../../contract/jobs/data-sources.ts';
import { dataSourceName } from '../jobs/words.ts';
import type { JobDraft } from './draft.ts';

/** The data source that a draft names as one of its sides. */
export const chosenOf = (sources: readonly DataSource[], chosen: string) =>
  sources.find(({ id }) => String(id) === chosen);

/** The name of a job that was given none, made from its sides; empty while one is missing. */
export function nameFor(draft: JobDraft, sources: readonly DataSource[]): string {
  const source = chosenOf(sources, draft.source);
  const target = chosenOf(sources, draft.target);
  return source && target ? `${dataSourceName(source)} to ${dataSourceName(target)}` : '';
}
