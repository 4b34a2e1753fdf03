import '../../client/styles/fields.css';
import '../../client/styles/marketing.css';
import './connector.css';
import { fill } from '../../client/contract/fill.ts';
import type { PageProps } from '../../client/contract/pages.ts';
import { ClosingCall } from '../parts/ClosingCall.tsx';
import { ConnectorEntry } from './ConnectorEntry.tsx';
import { Filter } from './Filter.tsx';
import { NoneFound } from './NoneFound.tsx';
import { filterWords, ofKind } from './words.ts';

/** The connector catalogue with its filter. */
export default function ConnectorPage(props: PageProps<'connector'>) {
  const { text, catalogue, filter, found, site } = props;
  const { connectors, kinds } = catalogue;
  const counts = {
    sources: connectors.filter(({ targets }) => targets.length > 0).length,
    targets: connectors.filter(({ sources }) => sources.length > 0).length,
  };
  const words = filterWords(filter, catalogue);
  return (
    <>
      <header className="banner wrap">
        <h1>{text.banner.title}</h1>
        <p className="lede">{fill(text.banner.lede, counts)}</p>
      </header>
      <div className="wrap connector-list">
        <Filter filter={filter} catalogue={catalogue} />
        <div id="found">
          <p className="connector-count">
            <strong>
              {words ? `${found.length} of ${connectors.length} connectors` : `${connectors.length} connectors`}
            </strong>
            {words && (
              <>
                <span>{words}</span>
                <a href="/connector">Clear</a>
              </>
            )}
          </p>
          {found.length === 0 && <NoneFound {...props} />}
          {kinds
            .map((kind) => ({ kind, group: ofKind(found, kind.id) }))
            .filter(({ group }) => group.length > 0)
            .map(({ kind, group }) => (
              <section key={kind.id} className="connector-kind" aria-labelledby={`kind-${kind.id}`}>
                <h2 id={`kind-${kind.id}`}>
                  {kind.label} <small>{group.length}</small>
                </h2>
                <ul>
                  {group.map((connector) => (
                    <ConnectorEntry key={connector.id} connector={connector} catalogue={catalogue} />
                  ))}
                </ul>
              </section>
            ))}
        </div>
      </div>
      <ClosingCall site={site} text={text.closing} />
    </>
  );
}
