import type { Connector, ConnectorFunction } from '../../client/contract/catalogue.ts';
import { Icon } from '../../client/ui/Icon.tsx';

const names: Record<ConnectorFunction, string> = {
  schema: 'Schema migration',
  full: 'Full load',
  incremental: 'Change sync',
  verification: 'Verification',
  correction: 'Correction',
};
const order: ConnectorFunction[] = ['schema', 'full', 'incremental', 'verification', 'correction'];

interface PairFactsProps {
  source: Connector;
  target: Connector;
  functions: ConnectorFunction[];
}

/** What a job from one source to one target can do, and what it cannot. */
export function PairFacts({ source, target, functions }: PairFactsProps) {
  return (
    <div className="pair">
      <p className="pair-name" id="pair-name">
        {source.name} <Icon name="arrow" />
        <span className="visually-hidden">to</span> {target.name}
      </p>
      <dl className="pair-functions" aria-labelledby="pair-name">
        {order.map((id) => {
          const offered = functions.includes(id);
          return (
            <div key={id} className={offered ? 'pair-yes' : 'pair-no'}>
              <dt>{names[id]}</dt>
              <dd>
                <Icon name={offered ? 'check' : 'dash'} />
                {offered ? 'Yes' : 'No'}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="pair-note">
        {target.description}
        {target.versions.length > 0 && ` Versions ${target.name} ${target.versions.join(', ')}.`}
        {target.document && (
          <>
            {' '}
            <a href={target.document}>Prepare {target.name}</a>
          </>
        )}
      </p>
    </div>
  );
}
