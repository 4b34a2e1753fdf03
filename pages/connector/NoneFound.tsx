import type { PageProps } from '../../client/contract/pages.ts';
import { filterHref } from './words.ts';

/** Nothing fits the filter: what was asked, and ways to ask for less. */
export function NoneFound({ text, filter, catalogue, site }: PageProps<'connector'>) {
  const { q, kind, role } = filter;
  return (
    <div className="none-found">
      <h2>{text.noneFound.title}</h2>
      <p className="lede">{text.noneFound.text}</p>
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
