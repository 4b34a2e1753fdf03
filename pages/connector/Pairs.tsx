import type { Catalogue, Connector } from '../../client/contract/catalogue.ts';
import { capitalised, functionWords } from '../parts/job-functions.ts';

interface PairsProps {
  connector: Connector;
  catalogue: Catalogue;
  side: 'source' | 'target';
}

/** Where a source has a document, the pair has a place in it. */
function PairName({ source, target, name }: { source: Connector; target: Connector; name: string }) {
  if (!source.document) return <>{name}</>;
  return <a href={`${source.document}?target=${target.id}`}>{name}</a>;
}

/** The pairs of a connector on one side, grouped by what a job between the two can do. */
export function Pairs({ connector, catalogue, side }: PairsProps) {
  const ids = new Set(side === 'source' ? connector.targets : connector.sources);
  const others = catalogue.connectors.filter(({ id }) => ids.has(id));
  const groups = Map.groupBy(others, ({ id }) => {
    const pair = side === 'source' ? `${connector.id}>${id}` : `${id}>${connector.id}`;
    return capitalised(functionWords(catalogue.functions[pair] ?? []));
  });
  return (
    <section className="pairs">
      <h4>{side === 'source' ? `From ${connector.name} to` : `To ${connector.name} from`}</h4>
      <dl>
        {[...groups].map(([functions, group]) => (
          <div key={functions}>
            <dt>{functions}</dt>
            <dd>
              <ul>
                {group.map((other) => (
                  <li key={other.id}>
                    {side === 'source' ? (
                      <PairName source={connector} target={other} name={other.name} />
                    ) : (
                      <PairName source={other} target={connector} name={other.name} />
                    )}
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
