import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Catalogue } from '../../../client/contract/catalogue.ts';
import type { PageTexts } from '../../../client/contract/page-texts.ts';
import type { Pricing } from '../../../client/contract/pricing.ts';
import type { Author, Tag } from '../../../client/contract/reading.ts';
import type { Announcement, Brand, Navigation } from '../../../client/contract/site.ts';
import { fillBrand } from '../brand-text.ts';
import type { Fault } from '../fault.ts';
import { brandSchema, fillTexts } from './brand.ts';
import { connectorsSchema } from './connectors.ts';
import { type Checks, createDataReader, type DataReader } from './data-reader.ts';
import { readEvidence } from './evidence.ts';
import { readForeign } from './foreign-people.ts';
import { announcementSchema, navigationSchema, redirectsSchema } from './navigation.ts';
import { pageTextSchemas, unknownConnectors } from './page-texts.ts';
import { authorsSchema, foreignAuthorsSchema, foreignTagsSchema, tagsSchema } from './people.ts';
import { pricingSchema } from './pricing.ts';
import type { DataFolders } from './read-data-file.ts';
import { type PageTitle, titledAddresses, titlesSchema } from './titles.ts';
import { type WrittenAddress, writtenRedirects } from './written-addresses.ts';

const authorFiles = ['blog/authors.yml', 'blog/.authors.yml', '.authors.yml'];

/** What the content folder contains besides documents and posts. */
export interface SiteData {
  brand: Brand;
  authors: Map<string, Author>;
  tags: Map<string, Tag>;
  navigation: Navigation;
  announcement: Announcement | undefined;
  redirects: Map<string, string>;
  catalogue: Catalogue;
  pricing: Pricing;
  /** By address, or by a pattern for many addresses. */
  titles: Map<string, PageTitle>;
  texts: PageTexts;
}

/** Fills the brand into every text of a value. */
function branded<T>(value: T, brand: Brand, schema: z.ZodType<T>): T {
  return schema.parse(fillTexts(value, brand));
}

/**
 * Reads every data file. A faulty file is replaced by the built-in one, so the site still starts; the faults are
 * returned for the log, or to stop the start under STRICT_CONTENT. The addresses in the operator's own files are
 * returned too: only the content knows whether they exist.
 * @throws when the brand is unknown or a built-in file itself is faulty
 */
export function readSiteData(
  contentDir: string,
  builtInDir: string,
  brandId: string,
): { data: SiteData; faults: Fault[]; written: WrittenAddress[] } {
  requireBrand(brandId, [contentDir, builtInDir]);
  const folders = { contentDir, builtInDir };
  const reader = createDataReader(folders);
  const brand = readBrand(reader, brandId);
  // Always ours: another team's content does not change what was tested.
  const { evidence, faults } = readEvidence(builtInDir);
  reader.faults.push(...faults);
  const catalogue = reader.read('connectors.yml', connectorsSchema(evidence));
  const data: SiteData = {
    brand,
    authors: authorsOf(reader, folders, brand),
    tags: tagsOf(reader, folders, brand),
    navigation: branded(reader.read('navigation.yml', navigationSchema), brand, navigationSchema),
    announcement: branded(reader.read('announcement.yml', announcementSchema), brand, announcementSchema) ?? undefined,
    redirects: new Map(
      Object.entries(reader.read('redirects.yml', redirectsSchema, { addressesOf: writtenRedirects }) ?? {}),
    ),
    catalogue,
    pricing: readPricing(reader, brand),
    titles: titlesOf(reader, brand),
    texts: textsOf(reader, brand, catalogue),
  };
  return { data, faults: reader.faults, written: reader.written };
}

/** The same for what a seller must know. */
export function readSellerData(
  contentDir: string,
  builtInDir: string,
  brandId: string,
): Pick<SiteData, 'brand' | 'pricing'> {
  requireBrand(brandId, [contentDir, builtInDir]);
  const reader = createDataReader({ contentDir, builtInDir });
  const brand = readBrand(reader, brandId);
  return { brand, pricing: readPricing(reader, brand) };
}

const readBrand = (reader: DataReader, id: string) => reader.read(`brand/${id}.yml`, brandSchema);

const readPricing = (reader: DataReader, brand: Brand) =>
  branded(reader.read('pricing.yml', pricingSchema), brand, pricingSchema);

function requireBrand(wanted: string, folders: readonly string[]): void {
  const known = folders
    .map((folder) => join(folder, 'brand'))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.endsWith('.yml'))
    .map((name) => name.slice(0, -4));
  if (known.includes(wanted)) return;
  throw new Error(`SITE_BRAND: there is no brand '${wanted}'; the known brands are ${[...new Set(known)].join(', ')}.`);
}

/** Without its own authors.yml, another tool's people; if no one is declared, posts declare people by naming them. */
function authorsOf(reader: DataReader, folders: DataFolders, brand: Brand): Map<string, Author> {
  const authors = reader.isOwn('authors.yml')
    ? reader.read('authors.yml', authorsSchema)
    : readForeign(folders.contentDir, authorFiles, foreignAuthorsSchema, reader.faults);
  return mapped(authors, ({ label, title, description, ...author }) => ({
    ...author,
    label: fillBrand(label, brand),
    title: fillBrand(title, brand),
    description: fillBrand(description, brand),
  }));
}

function tagsOf(reader: DataReader, folders: DataFolders, brand: Brand): Map<string, Tag> {
  const tags = reader.isOwn('tags.yml')
    ? reader.read('tags.yml', tagsSchema)
    : readForeign(folders.contentDir, ['blog/tags.yml'], foreignTagsSchema, reader.faults);
  return mapped(tags, ({ id, label, description }) => ({
    id,
    label: fillBrand(label, brand),
    description: fillBrand(description, brand),
  }));
}

function mapped<T>(values: ReadonlyMap<string, T> | undefined, change: (value: T) => T): Map<string, T> {
  return new Map([...(values ?? [])].map(([key, value]) => [key, change(value)]));
}

/** A page that the operator's own file omits keeps its title. */
function titlesOf({ read, readBuiltIn }: DataReader, brand: Brand): Map<string, PageTitle> {
  const name = 'pages/titles.yml';
  const titles = { ...readBuiltIn(name, titlesSchema), ...read(name, titlesSchema, { addressesOf: titledAddresses }) };
  return new Map(Object.entries(branded(titles, brand, titlesSchema)));
}

function textsOf({ read }: DataReader, brand: Brand, catalogue: Catalogue): PageTexts {
  const text = <Name extends keyof PageTexts>(name: Name, checks?: Checks<PageTexts[Name]>): PageTexts[Name] => {
    const schema: z.ZodType<PageTexts[Name]> = pageTextSchemas[name];
    return branded(read(`pages/${name}.yml`, schema, checks), brand, schema);
  };
  const known = { faultsOf: unknownConnectors(catalogue) };
  return {
    index: text('index'),
    why: text('why'),
    connector: text('connector'),
    solution1: text('solution1', known),
    solution2: text('solution2', known),
    pricing: text('pricing'),
    about: text('about'),
    account: text('account'),
    closing: text('closing'),
  };
}
