import type { Catalogue, ConnectorFunction } from '../../../client/contract/catalogue.ts';

const words: Record<ConnectorFunction, string> = {
  schema: 'structures',
  full: 'full load',
  incremental: 'change sync',
  verification: 'verification',
  correction: 'correction',
};

/** A connector's name as the catalogue writes it. */
export function nameOf(catalogue: Catalogue, id: string): string {
  return catalogue.connectors.find((connector) => connector.id === id)?.name ?? id;
}

/** A pair's names and the work a job between the two can do, both from the catalogue. */
export function pairOf(catalogue: Catalogue, source: string, target: string): { pair: string; work: string } {
  const functions = catalogue.functions[`${source}>${target}`] ?? [];
  return {
    pair: `${nameOf(catalogue, source)} → ${nameOf(catalogue, target)}`,
    work: functions.map((name) => words[name]).join(', '),
  };
}
