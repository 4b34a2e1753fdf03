import { type Catalogue, type Connector, countsOf, pairLabel } from '../../client/contract/catalogue.ts';
import { counted } from '../../client/contract/counted.ts';
import type { PageProps } from '../../client/contract/pages.ts';

type ConnectorPage = PageProps<'connector'>;

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

/** How many connectors are shown; planned ones are mentioned but not counted. */
export function countWords(found: readonly Connector[], catalogue: Catalogue, isFiltered: boolean): string {
  const all = countsOf(catalogue).connectors;
  const shown = found.filter(({ label }) => label === 'tested').length;
  const planned = found.some(({ label }) => label === 'planned') ? ', planned ones below' : '';
  return `${isFiltered ? `${shown} of ` : ''}${counted(all, 'tested connector')}${planned}`;
}

interface Group {
  id: string;
  label: string;
  note?: string;
  connectors: Connector[];
}

/** First the connectors that run in this release, then the planned ones by kind, in the catalogue's order. */
export function groupsOf(found: readonly Connector[], { kinds }: Catalogue): Group[] {
  const [running = [], planned = []] = [false, true].map((isPlanned) =>
    found.filter(({ label }) => (label === 'planned') === isPlanned),
  );
  const now = { id: 'running', label: 'In this release', connectors: running };
  const later = kinds.map(({ id, label }) => ({
    id,
    label,
    note: 'planned',
    connectors: planned.filter(({ kind }) => kind === id),
  }));
  return [now, ...later].filter(({ connectors }) => connectors.length > 0);
}

/** The number of systems on the other side with which a job runs in this release. */
export function countRunning(connector: Connector, catalogue: Catalogue, side: 'source' | 'target'): number {
  const ids = side === 'source' ? connector.targets : connector.sources;
  const others = catalogue.connectors.filter(({ id }) => ids.includes(id));
  return others.filter((other) => {
    const [source, target] = side === 'source' ? [connector, other] : [other, connector];
    return pairLabel(catalogue, source, target) !== 'planned';
  }).length;
}

/** The connector's versions with its label. */
export function versionWords({ label, tested, versions, family }: Connector, { connectors }: Catalogue): string {
  if (label === 'tested') return `tested: ${tested.join(', ')}`;
  if (label === 'compatible') {
    const spoken = connectors.find(({ id }) => id === family)?.name ?? family;
    return `compatible with ${spoken} ${tested.join(', ')}`;
  }
  return versions.length > 0 ? `planned: ${versions.join(', ')}` : 'planned';
}
