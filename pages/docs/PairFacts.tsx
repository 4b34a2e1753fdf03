import type { Connector, ConnectorFunction } from '../../client/contract/catalogue.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { capitalised, jobFunctions } from '../parts/job-functions.ts';

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
        {jobFunctions.map(({ id, name }) => {
          const offered = functions.some((one) => one === id);
          return (
            <div key={id} className={offered ? 'pair-yes' : 'pair-no'}>
              <dt>{capitalised(name)}</dt>
              <dd>
                <Icon name={offered ? 'check' : 'dash'} />
                {offered ? 'Planned' : 'Not planned'}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="pair-note">
        {target.description}
        {target.versions.length > 0 && ` Planned for ${target.name} ${target.versions.join(', ')}.`}
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
