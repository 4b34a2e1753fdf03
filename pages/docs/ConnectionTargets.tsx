import { type Catalogue, type Connector, pairLabel } from '../../client/contract/catalogue.ts';
import { frameIds } from '../../client/contract/frame-ids.ts';
import { PairFacts } from './PairFacts.tsx';

interface ConnectionTargetsProps {
  source: Connector;
  catalogue: Catalogue;
  /** Address of the document without a chosen target. */
  path: string;
  target?: string | undefined;
}

/** Every target the source offers, as plain links, and the facts of the chosen pair. */
export function ConnectionTargets({ source, catalogue, path, target }: ConnectionTargetsProps) {
  const offered = catalogue.connectors.filter(({ id }) => source.targets.includes(id));
  const chosen = offered.find(({ id }) => id === target);
  if (offered.length === 0) return null;
  return (
    <section className="targets" aria-labelledby={frameIds.targets}>
      <div className="targets-head">
        <h2 id={frameIds.targets}>Targets of {source.name}</h2>
        {chosen && <a href={path}>Clear the choice</a>}
      </div>
      {chosen ? (
        <PairFacts source={source} target={chosen} catalogue={catalogue} />
      ) : (
        <p className="targets-hint">
          Choose a target to see what a job from {source.name} to it does, and what is planned. Unmarked targets are
          planned.
        </p>
      )}
      <dl className="targets-list">
        {catalogue.kinds.map((kind) => {
          const ofKind = offered.filter((connector) => connector.kind === kind.id);
          return ofKind.length === 0 ? null : (
            <div key={kind.id}>
              <dt>{kind.label}</dt>
              <dd>
                <ul>
                  {ofKind.map((target) => {
                    const label = pairLabel(catalogue, source, target);
                    return (
                      <li key={target.id}>
                        <a href={`?target=${target.id}`} aria-current={target === chosen ? 'true' : undefined}>
                          {target.name}
                        </a>
                        {label !== 'planned' && <small> {label}</small>}
                      </li>
                    );
                  })}
                </ul>
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
