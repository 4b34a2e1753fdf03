import type { Catalogue } from '../../../client/contract/catalogue.ts';
import { functionWords } from '../job-functions.ts';

/** A connector's name as the catalogue writes it. */
export function nameOf(catalogue: Catalogue, id: string): string {
  return catalogue.connectors.find((connector) => connector.id === id)?.name ?? id;
}

/** A pair's names and the work a job between the two can do, both from the catalogue. */
export function pairOf(catalogue: Catalogue, source: string, target: string): { pair: string; work: string } {
  const functions = catalogue.functions[`${source}>${target}`] ?? [];
  return {
    pair: `${nameOf(catalogue, source)} → ${nameOf(catalogue, target)}`,
    work: functionWords(functions),
  };
}
