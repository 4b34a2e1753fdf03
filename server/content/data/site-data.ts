import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Catalogue } from '../../../client/contract/catalogue.ts';
import type { Pricing } from '../../../client/contract/pricing.ts';
import type { Author, Tag } from '../../../client/contract/reading.ts';
import type { Announcement, Brand, Navigation } from '../../../client/contract/site.ts';
import { fillBrand } from '../brand-text.ts';
import type { Fault } from '../fault.ts';
import { brandSchema, fillTexts } from './brand.ts';
import { connectorsSchema } from './connectors.ts';
import { announcementSchema, navigationSchema, redirectsSchema } from './navigation.ts';
import { authorsSchema, tagsSchema } from './people.ts';
import { pricingSchema } from './pricing.ts';
import { type DataFile, type DataFolders, readDataFile } from './read-data-file.ts';
import { type PageTitle, titledAddresses, titlesSchema } from './titles.ts';
import { type WrittenAddress, writtenLinks, writtenRedirects } from './written-addresses.ts';

/** What the content folder says besides documents and posts. */
export interface SiteData {
  brand: Brand;
  authors: Map<string, Author>;
  tags: Map<string, Tag>;
  navigation: Navigation;
  announcement: Announcement | undefined;
  redirects: Map<string, string>;
  catalogue: Catalogue;
  pricing: Pricing;
  /** By address, or by the pattern of many. */
  titles: Map<string, PageTitle>;
}

/** Puts the brand into every text of a value. */
function branded<T>(value: T, brand: Brand, schema: z.ZodType<T>): T {
  return schema.parse(fillTexts(value, brand));
}

/**
 * Reads every data file. A file with faults falls back to the built-in one, so that the site still starts; the faults
 * are returned for the log, or to end the start under STRICT_CONTENT. So are the addresses that the operator's own files
 * name: whether they exist, the content tells.
 * @throws when the brand is unknown or a built-in file itself is faulty
 */
export function readSiteData(
  contentDir: string,
  builtInDir: string,
  brandId: string,
): { data: SiteData; faults: Fault[]; written: WrittenAddress[] } {
  const folders: DataFolders = { contentDir, builtInDir };
  const faults: Fault[] = [];
  const written: WrittenAddress[] = [];

  function read<T>(
    name: string,
    schema: z.ZodType<T>,
    addressesOf: (file: string, read: DataFile<T>) => WrittenAddress[] = writtenLinks,
  ): T {
    const own = readDataFile(name, schema, folders);
    faults.push(...own.faults);
    // A built-in file may name documents that another team's content does not have.
    if (own.own) written.push(...addressesOf(name, own));
    return own.value ?? readBuiltIn(name, schema);
  }

  function readBuiltIn<T>(name: string, schema: z.ZodType<T>): T {
    const builtIn = readDataFile(name, schema, { contentDir: builtInDir, builtInDir });
    if (builtIn.value === undefined)
      throw new Error(`${name}: ${builtIn.faults.map((f) => `line ${f.line}: ${f.message}`).join('; ')}`);
    return builtIn.value;
  }

  const known = [contentDir, builtInDir]
    .map((folder) => join(folder, 'brand'))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => name.slice(0, -4));
  if (!known.includes(brandId))
    throw new Error(`SITE_BRAND: there is no brand '${brandId}'; known are ${[...new Set(known)].join(', ')}.`);

  const brand = read(`brand/${brandId}.yml`, brandSchema);
  const authors = Object.entries(read('authors.yml', authorsSchema)).map(
    ([slug, { name, title, description }]): [string, Author] => [
      slug,
      {
        name: slug,
        label: fillBrand(name, brand),
        title: fillBrand(title, brand),
        description: fillBrand(description, brand),
      },
    ],
  );
  // A page that the operator's own file leaves out keeps its title.
  const titles = {
    ...readBuiltIn('pages/titles.yml', titlesSchema),
    ...read('pages/titles.yml', titlesSchema, titledAddresses),
  };
  const tags = Object.entries(read('tags.yml', tagsSchema)).map(([id, tag]): [string, Tag] => [id, { id, ...tag }]);
  return {
    data: {
      brand,
      authors: new Map(authors),
      tags: new Map(tags),
      navigation: branded(read('navigation.yml', navigationSchema), brand, navigationSchema),
      announcement: branded(read('announcement.yml', announcementSchema), brand, announcementSchema) ?? undefined,
      redirects: new Map(Object.entries(read('redirects.yml', redirectsSchema, writtenRedirects) ?? {})),
      catalogue: read('connectors.yml', connectorsSchema),
      pricing: branded(read('pricing.yml', pricingSchema), brand, pricingSchema),
      titles: new Map(Object.entries(branded(titles, brand, titlesSchema))),
    },
    faults,
    written,
  };
}
