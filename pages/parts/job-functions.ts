import type { ConnectorFunction } from '../../client/contract/catalogue.ts';

const names: Record<ConnectorFunction, string> = {
  schema: 'schema migration',
  full: 'initial load',
  incremental: 'change sync',
  verification: 'verification',
  correction: 'correction',
};

/** What a job between two systems can do, with its names, in the order a job runs it. */
export const jobFunctions = Object.entries(names).map(([id, name]) => ({ id, name }));

/** `schema migration, initial load`, in the order a job runs them. */
export function functionWords(functions: readonly ConnectorFunction[]): string {
  const offered = new Set<string>(functions);
  return jobFunctions
    .filter(({ id }) => offered.has(id))
    .map(({ name }) => name)
    .join(', ');
}

/** The text with its first letter capitalised. */
export const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
