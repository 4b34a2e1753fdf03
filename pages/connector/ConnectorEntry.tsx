import type { Catalogue, Connector } from '../../client/contract/catalogue.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { Pairs } from './Pairs.tsx';
import { counted } from './words.ts';

function Facts({ connector }: { connector: Connector }) {
  const { name, description, versions, targets, sources } = connector;
  return (
    <>
      <span className="connector-name">
        <h3>{name}</h3>
        <span>{description}</span>
      </span>
      <span className="connector-versions">
        <span className="visually-hidden">Versions: </span>
        {versions.length > 0 ? versions.join(', ') : 'No release line'}
      </span>
      <span>{targets.length > 0 ? `to ${counted(targets.length, 'target')}` : <i>not a source</i>}</span>
      <span>{sources.length > 0 ? `from ${counted(sources.length, 'source')}` : <i>not a target</i>}</span>
    </>
  );
}

/** One connector: a line of facts that unfolds into its pairs. Model services belong to no pair and do not unfold. */
export function ConnectorEntry({ connector, catalogue }: { connector: Connector; catalogue: Catalogue }) {
  const { targets, sources, document, name } = connector;
  return (
    <li className="connector" id={connector.id}>
      {targets.length + sources.length === 0 ? (
        <div className="connector-line">
          <Facts connector={connector} />
        </div>
      ) : (
        <details>
          <summary className="connector-line">
            <Facts connector={connector} />
            <Icon name="chevron" />
          </summary>
          <div className="connector-pairs">
            {targets.length > 0 && <Pairs connector={connector} catalogue={catalogue} side="source" />}
            {sources.length > 0 && <Pairs connector={connector} catalogue={catalogue} side="target" />}
          </div>
        </details>
      )}
      {document && (
        <a className="connector-document" href={document} aria-label={`Prepare ${name}`}>
          Prepare
        </a>
      )}
    </li>
  );
}
