import type { Connector, ConnectorFunction } from '../../client/contract/catalogue.ts';
import type { PageProps } from '../../client/contract/pages.ts';

type ConnectorPage = PageProps<'connector'>;

const functionNames: Record<ConnectorFunction, string> = {
  schema: 'schema',
  full: 'full load',
  incremental: 'change sync',
  verification: 'verification',
  correction: 'correction',
};

/** `Schema, full load, change sync`, in the order a job runs them. */
export function functionList(functions: ConnectorFunction[]): string {
  const order = Object.keys(functionNames) as ConnectorFunction[];
  const text = order
    .filter((id) => functions.includes(id))
    .map((id) => functionNames[id])
    .join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 target`, `48 targets`. */
export const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The filter in words, e.g. `“aurora”, database, as a source`. */
export function filterWords({ q, kind, role }: ConnectorPage['filter'], { kinds }: ConnectorPage['catalogue']): string {
  const label = kinds
    .find(({ id }) => id === kind)
    ?.label.toLowerCase()
    .replace(/^ai$/, 'AI');
  return [q && `“${q}”`, label, role && `as a ${role}`].filter(Boolean).join(', ');
}

/** Address of the page with a filter. */
export function filterHref(filter: ConnectorPage['filter']): string {
  const query = new URLSearchParams(Object.entries(filter)).toString();
  return query ? `/connector?${query}` : '/connector';
}

/** Connectors of one kind, in the catalogue's order. */
export const ofKind = (connectors: Connector[], kind: string) =>
  connectors.filter((connector) => connector.kind === kind);
