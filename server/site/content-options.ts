import { consolePages } from '../../client/contract/console/pages.ts';
import type { readSiteData } from '../content/data/site-data.ts';
import type { LoaderOptions } from '../content/loader.ts';
import { documentPrints } from '../jobs/printed/document-prints.ts';
import { generatedPaths } from './generated/find-generated-file.ts';
import { versionsTable } from './print-versions.ts';
import { fixedPaths } from './urls.ts';

/** Every address that does not come from content, for checking links. */
const siteAddresses: ReadonlySet<string> = new Set([
  ...fixedPaths,
  ...generatedPaths,
  ...consolePages.map(({ path }) => path),
  '/docs',
]);

type FromData = 'brand' | 'authors' | 'tags' | 'siteAddresses' | 'redirects' | 'written' | 'catalogueIds' | 'prints';

/** Content loader options that come from the site, its data files and the engine. */
export function contentOptions({ data, written }: ReturnType<typeof readSiteData>): Pick<LoaderOptions, FromData> {
  const { brand, authors, tags, redirects, catalogue } = data;
  const catalogueIds = new Set(catalogue.connectors.map(({ id }) => id));
  const prints = new Map([...documentPrints(), ['versions tested', versionsTable(catalogue)]]);
  return { brand, authors, tags, redirects, written, siteAddresses, catalogueIds, prints };
}
