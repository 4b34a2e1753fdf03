export type ConnectorFunction = 'schema' | 'full' | 'incremental' | 'verification' | 'correction';

/**
 * tested: our tests run it. compatible: it speaks the protocol of a tested one, and our tests do not run it. planned:
 * not in this release.
 */
export type ConnectorLabel = 'tested' | 'compatible' | 'planned';

/** Running systems come first in lists. */
export const labelOrder: readonly ConnectorLabel[] = ['tested', 'compatible', 'planned'];

export interface Connector {
  id: string;
  name: string;
  kind: string;
  description: string;
  /** Release lines that it is planned for. */
  versions: string[];
  label: ConnectorLabel;
  /** The engine family that reads and writes it; none for planned ones. */
  family?: string;
  /** Release lines that our tests run; for a compatible one, those of the system whose protocol it speaks. */
  tested: string[];
  /** Address of its document, if there is one. */
  document?: string;
  /** Ids of the targets it offers as a source, and of the sources that offer it as a target. */
  targets: string[];
  sources: string[];
}

/** What a job between two systems was tested to do. */
export interface ProvedPair {
  functions: ConnectorFunction[];
  /** Release lines of source and target. */
  releases: [source: string, target: string][];
}

export interface Catalogue {
  kinds: { id: string; label: string }[];
  connectors: Connector[];
  /** Functions by `source>target`, whether available or planned. */
  functions: Record<string, ConnectorFunction[]>;
  /** By `source>target`. */
  proved: Record<string, ProvedPair>;
}

/** Numbers for texts. Planned ones are never counted. */
export function countsOf({ connectors, proved }: Catalogue) {
  const tested = connectors.filter(({ label }) => label === 'tested');
  const pairs = Object.entries(proved).flatMap(([name, { releases }]) => releases.map(() => name.split('>')));
  const on = (side: 0 | 1) => new Set(pairs.map((names) => names[side])).size;
  return {
    connectors: tested.length,
    compatible: connectors.filter(({ label }) => label === 'compatible').length,
    sources: on(0),
    targets: on(1),
    pairs: pairs.length,
  };
}

/** Whether a job between two connectors is tested, compatible with a tested one, or planned. */
export function pairLabel({ proved }: Catalogue, source: Connector, target: Connector): ConnectorLabel {
  if (Object.hasOwn(proved, `${source.id}>${target.id}`)) return 'tested';
  const isOffered = [source, target].every(({ label }) => label !== 'planned');
  return isOffered && source.family !== undefined && source.family === target.family ? 'compatible' : 'planned';
}
