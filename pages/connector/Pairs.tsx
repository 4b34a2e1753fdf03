import { type Catalogue, type Connector, labelOrder, pairLabel } from '../../client/contract/catalogue.ts';
import { capitalised, functionWords } from '../parts/job-functions.ts';

interface PairsProps {
  connector: Connector;
  catalogue: Catalogue;
  side: 'source' | 'target';
}

/** If the source has a document, the name links to the pair there. */
function PairName({ source, target, name }: { source: Connector; target: Connector; name: string }) {
  if (!source.document) return <>{name}</>;
  return <a href={`${source.document}?target=${target.id}`}>{name}</a>;
}

/** The pairs of a connector on one side, grouped by what a job between the two can do. */
export function Pairs({ connector, catalogue, side }: PairsProps) {
  const ids = new Set(side === 'source' ? connector.targets : connector.sources);
  const pairs = catalogue.connectors
    .filter(({ id }) => ids.has(id))
    .map((other) => {
      const [source, target] = side === 'source' ? [connector, other] : [other, connector];
      return { other, source, target, label: pairLabel(catalogue, source, target) };
    })
    .toSorted((a, b) => labelOrder.indexOf(a.label) - labelOrder.indexOf(b.label));
  const groups = Map.groupBy(pairs, ({ source, target, label }) => {
    // A compatible pair does what the tested one does.
    const tested = catalogue.proved[`${source.family}>${target.family}`]?.functions;
    const functions = label === 'planned' ? undefined : tested;
    const words = functionWords(functions ?? catalogue.functions[`${source.id}>${target.id}`] ?? []);
    return `${capitalised(words)}: ${label}`;
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
                {group.map(({ other }) => (
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
