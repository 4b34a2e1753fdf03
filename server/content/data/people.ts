import { z } from 'zod';
import type { Author, Tag } from '../../../client/contract/reading.ts';
import { cleanSegment } from '../address.ts';

/** `authors.yml`: slug → author. */
export const authorsSchema = z
  .record(
    z.string().regex(/^[a-z0-9_-]+$/, 'a slug may contain only lowercase letters, digits, - and _'),
    z.object({ name: z.string().min(1), title: z.string().default(''), description: z.string().default('') }),
  )
  .transform((people): Map<string, Author> => {
    const entries = Object.entries(people).map(([slug, { name, ...author }]): [string, Author] => [
      slug,
      { name: slug, label: name, ...author },
    ]);
    return new Map(entries);
  });

/** `tags.yml`: id → a tag that posts may have. */
export const tagsSchema = z
  .record(
    z.string().regex(/^[a-z0-9_-]+$/, 'an id may contain only lowercase letters, digits, - and _'),
    z.strictObject({ label: z.string().min(1), description: z.string().default('') }),
  )
  .transform((tags): Map<string, Tag> => new Map(Object.entries(tags).map(([id, tag]) => [id, { id, ...tag }])));

const text = z.union([z.string(), z.number()]).transform(String).nullish();
const person = z.looseObject({ name: text, title: text, description: text });

/** Docusaurus' `blog/authors.yml`, and `.authors.yml` of Material for MkDocs, which lists them under `authors`. */
export const foreignAuthorsSchema = z
  .union([
    z.object({ authors: z.record(z.string(), person) }).transform(({ authors }) => authors),
    z.record(z.string(), person),
  ])
  .transform((people): Map<string, Author> => {
    const entries = Object.entries(people).map(([key, { name, title, description }]): [string, Author] => [
      key,
      { name: slugOf(key), label: name || key, title: title ?? '', description: description ?? '' },
    ]);
    return new Map(entries);
  });

/** Docusaurus' `blog/tags.yml`: posts use its keys. */
export const foreignTagsSchema = z
  .record(z.string(), z.looseObject({ label: text, description: text }).nullable())
  .transform((tags): Map<string, Tag> => {
    const entries = Object.entries(tags).map(([key, tag]): [string, Tag] => [
      key,
      { id: slugOf(key), label: tag?.label || key, description: tag?.description ?? '' },
    ]);
    return new Map(entries);
  });

/** A name as the last part of an address. */
export function slugOf(name: string): string {
  return cleanSegment(name).toLowerCase();
}
