import type { Connector } from '../../client/contract/catalogue.ts';
import type { PageProps } from '../../client/contract/pages.ts';

type ConnectorPage = PageProps<'connector'>;

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
