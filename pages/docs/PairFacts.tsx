import { type Catalogue, type Connector, pairLabel } from '../../client/contract/catalogue.ts';
import { frameIds } from '../../client/contract/frame-ids.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { capitalised, jobFunctions } from '../parts/job-functions.ts';

interface PairFactsProps {
  source: Connector;
  target: Connector;
  catalogue: Catalogue;
}

const words = { tested: 'Tested', compatible: 'Compatible', planned: 'Planned' };

/** What a job from one source to one target does, what is planned, and what it will not do. */
export function PairFacts({ source, target, catalogue }: PairFactsProps) {
  const label = pairLabel(catalogue, source, target);
  const proved = catalogue.proved[`${source.family}>${target.family}`];
  const wanted = catalogue.functions[`${source.id}>${target.id}`] ?? [];
  const labelOf = (id: string): keyof typeof words | undefined => {
    if (label !== 'planned' && proved?.functions.some((one) => one === id)) return label;
    return wanted.some((one) => one === id) ? 'planned' : undefined;
  };
  const releases = label === 'planned' ? [] : (proved?.releases ?? []);
  return (
    <div className="pair">
      <p className="pair-name" id={frameIds.pair}>
        {source.name} <Icon name="arrow" />
        <span className="visually-hidden">to</span> {target.name}
      </p>
      <dl className="pair-functions" aria-labelledby={frameIds.pair}>
        {jobFunctions.map(({ id, name }) => {
          const found = labelOf(id);
          return (
            <div key={id} className={found ? 'pair-yes' : 'pair-no'}>
              <dt>{capitalised(name)}</dt>
              <dd>
                <Icon name={found && found !== 'planned' ? 'check' : 'dash'} />
                {found ? words[found] : 'Not planned'}
              </dd>
            </div>
          );
        })}
      </dl>
      <p className="pair-note">
        {target.description}
        {releases.length > 0 && ` Versions in our tests: ${releases.map((pair) => pair.join(' to ')).join(', ')}.`}
        {label === 'planned' &&
          target.versions.length > 0 &&
          ` Planned for ${target.name} ${target.versions.join(', ')}.`}
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
