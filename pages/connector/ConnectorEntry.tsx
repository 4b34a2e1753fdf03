import type { Catalogue, Connector } from '../../client/contract/catalogue.ts';
import { counted } from '../../client/contract/counted.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { Pairs } from './Pairs.tsx';
import { countRunning, versionWords } from './words.ts';

function Side({ connector, catalogue, side }: ConnectorEntryProps & { side: 'source' | 'target' }) {
  const others = side === 'source' ? connector.targets : connector.sources;
  if (others.length === 0) return <i>not a {side}</i>;
  if (connector.label === 'planned') return <>as a {side}</>;
  const running = countRunning(connector, catalogue, side);
  return <>{side === 'source' ? `to ${counted(running, 'target')}` : `from ${counted(running, 'source')}`}</>;
}

/** A model service is neither source nor target: jobs call it. */
function isModel({ targets, sources }: Connector): boolean {
  return targets.length + sources.length === 0;
}

function Facts(props: ConnectorEntryProps) {
  const { connector, catalogue } = props;
  const { name, description, label } = connector;
  return (
    <>
      <span className="connector-name">
        <h3>{name}</h3>
        <span>{description}</span>
      </span>
      <span className={`connector-versions connector-${label}`}>
        <span className="visually-hidden">Versions: </span>
        {versionWords(connector, catalogue)}
      </span>
      {isModel(connector) ? (
        <span>as a model</span>
      ) : (
        <>
          <span>
            <Side {...props} side="source" />
          </span>
          <span>
            <Side {...props} side="target" />
          </span>
        </>
      )}
    </>
  );
}

interface ConnectorEntryProps {
  connector: Connector;
  catalogue: Catalogue;
}

/** One connector: a row of facts that unfolds into its pairs. Model services have no pairs and do not unfold. */
export function ConnectorEntry({ connector, catalogue }: ConnectorEntryProps) {
  const { targets, sources, document, name } = connector;
  return (
    <li className="connector" id={connector.id}>
      {isModel(connector) ? (
        <div className="connector-line">
          <Facts connector={connector} catalogue={catalogue} />
        </div>
      ) : (
        <details>
          <summary className="connector-line">
            <Facts connector={connector} catalogue={catalogue} />
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
