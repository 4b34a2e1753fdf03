import type { DocEntry } from '../../content/content.ts';
import { faultsOf } from './faults.ts';
import type { PageRequest, PageResult } from './page-request.ts';
import type { History } from './site-sources.ts';

/** A document; a connection page declares `?target=`. */
export function docProps({ query, content, data, history }: PageRequest, doc: DocEntry): PageResult<'docs'> {
  const { catalogue } = data;
  const source = catalogue.connectors.find((connector) => connector.id === doc.connection);
  const target = catalogue.connectors.find(({ id }) => source?.targets.includes(id) && id === query.get('target'));
  return {
    props: {
      doc: { ...doc, ...content.body(doc.path), ...historyOf(doc, history), ...faultsOf(doc.file, content, history) },
      sidebar: content.sidebar,
      catalogue,
      ...(target && { target: target.id }),
    },
    ...(target && { cacheKey: `${doc.path}?target=${target.id}`, title: `${doc.title} to ${target.name}` }),
  };
}

function historyOf({ file }: DocEntry, { updated, editUrl }: History) {
  const day = updated.get(file);
  const editHref = editUrl && `${editUrl}/${file.split('/').map(encodeURIComponent).join('/')}`;
  return { ...(day && { updated: day }), ...(editHref && { editHref }) };
}
