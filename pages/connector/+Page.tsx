import '../../client/styles/fields.css';
import '../../client/styles/marketing.css';
import './connector.css';
import { countsOf } from '../../client/contract/catalogue.ts';
import { fill } from '../../client/contract/fill.ts';
import type { PageProps } from '../../client/contract/pages.ts';
import { ClosingCall } from '../parts/ClosingCall.tsx';
import { ConnectorEntry } from './ConnectorEntry.tsx';
import { Filter } from './Filter.tsx';
import { NoneFound } from './NoneFound.tsx';
import { countWords, filterWords, groupsOf } from './words.ts';

/** The connector catalogue with its filter. */
export default function ConnectorPage(props: PageProps<'connector'>) {
  const { text, catalogue, filter, found, site } = props;
  const words = filterWords(filter, catalogue);
  return (
    <>
      <header className="banner wrap">
        <h1>{text.banner.title}</h1>
        <p className="lede">{fill(text.banner.lede, countsOf(catalogue))}</p>
      </header>
      <div className="wrap connector-list">
        <Filter filter={filter} catalogue={catalogue} />
        <div id="found">
          <p className="connector-count">
            <strong>{countWords(found, catalogue, words !== '')}</strong>
            {words && (
              <>
                <span>{words}</span>
                <a href="/connector">Clear</a>
              </>
            )}
          </p>
          {found.length === 0 && <NoneFound {...props} />}
          {groupsOf(found, catalogue).map(({ id, label, note, connectors }) => (
            <section key={id} className="connector-kind" aria-labelledby={`kind-${id}`}>
              <h2 id={`kind-${id}`}>
                {label} {note && <small>{note}</small>}
              </h2>
              <ul>
                {connectors.map((connector) => (
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
