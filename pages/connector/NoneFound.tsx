import type { PageProps } from '../../client/contract/pages.ts';
import { filterHref } from './words.ts';

/** Nothing fits the filter: what was asked, and ways to ask for less. */
export function NoneFound({ filter, catalogue, site }: PageProps<'connector'>) {
  const { q, kind, role } = filter;
  return (
    <div className="none-found">
      <h2>No connector fits these filters.</h2>
      <p className="lede">
        The list holds every connector there is; what is not in it is not supported. Names are searched, descriptions
        are not.
      </p>
      <ul>
        {q && (kind || role) && (
          <li>
            <a href={filterHref({ q })}>Search “{q}” in all kinds, on both sides</a>
          </li>
        )}
        {q && (kind || role) && (
          <li>
            <a href={filterHref({ ...(kind && { kind }), ...(role && { role }) })}>Drop “{q}” and keep the rest</a>
          </li>
        )}
        <li>
          <a href="/connector">Show all {catalogue.connectors.length} connectors</a>
        </li>
        <li>
          Need one that is missing? Write to <a href={`mailto:${site.brand.supportEmail}`}>{site.brand.supportEmail}</a>
        </li>
      </ul>
    </div>
  );
}
