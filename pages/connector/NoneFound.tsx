import type { PageProps } from '../../client/contract/pages.ts';
import { isReachable } from '../parts/contact.ts';
import { filterHref } from './words.ts';

/** Shown when nothing matches the filter, with links to wider filters. */
export function NoneFound({ text, filter, site }: PageProps<'connector'>) {
  const { q, kind, role } = filter;
  const { supportEmail } = site.brand;
  return (
    <div className="none-found">
      <h2>{text.noneFound.title}</h2>
      <p className="lede">{text.noneFound.text}</p>
      <ul>
        {q && (kind || role) && (
          <li>
            <a href={filterHref({ q })}>Search for “{q}” in all kinds, on both sides</a>
          </li>
        )}
        {q && (kind || role) && (
          <li>
            <a href={filterHref({ ...(kind && { kind }), ...(role && { role }) })}>Remove “{q}” and keep the rest</a>
          </li>
        )}
        <li>
          <a href="/connector">Show all connectors</a>
        </li>
        {isReachable(supportEmail) && (
          <li>
            Need one that is missing? Ask the operator of this site:{' '}
            <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
          </li>
        )}
      </ul>
    </div>
  );
}
