import type { Catalogue, Connector } from '../../../client/contract/catalogue.ts';
import type { PagePropsByFolder } from '../../../client/contract/pages.ts';
import type { PageRequest, PageResult } from './page-request.ts';

/** The catalogue under the filters `?kind=&role=&q=`; free text is neither cached nor indexed. */
export function connectorProps({ query, data: { texts, catalogue } }: PageRequest): PageResult<'connector'> {
  const kind = catalogue.kinds.find(({ id }) => id === query.get('kind'))?.id;
  const role = (['source', 'target'] as const).find((name) => name === query.get('role'));
  const q = query.get('q')?.trim().slice(0, 80) || undefined;
  const filter = { ...(kind && { kind }), ...(role && { role }), ...(q && { q }) };
  return {
    props: { text: texts.connector, catalogue, filter, found: filterConnectors(catalogue, filter) },
    ...(q === undefined
      ? { cacheKey: `/connector?kind=${kind ?? ''}&role=${role ?? ''}` }
      : { cacheKey: null, indexed: false }),
  };
}

/** Connectors that match the filters; `q` matches names and ids, ignoring case. */
function filterConnectors(catalogue: Catalogue, filter: PagePropsByFolder['connector']['filter']): Connector[] {
  const wanted = filter.q?.toLowerCase();
  return catalogue.connectors.filter(
    (connector) =>
      (filter.kind === undefined || connector.kind === filter.kind) &&
      (filter.role !== 'source' || connector.targets.length > 0) &&
      (filter.role !== 'target' || connector.sources.length > 0) &&
      (wanted === undefined || connector.name.toLowerCase().includes(wanted) || connector.id.includes(wanted)),
  );
}
