import { z } from 'zod';
import { isoDate } from './dates.ts';
import type { Front, WrittenAuthor } from './page-facts.ts';
import type { DataPath, Position } from './yaml.ts';

const text = z.union([z.string(), z.number(), z.boolean()], 'must be text').transform(String);
const flag = z.boolean('must be true or false');
const number = z.number('must be a number');
const written = z.union([z.string(), z.date(), z.number()], 'must be a date such as 2025-07-08');
const date = z
  // MkDocs separates the day of writing from the day of the last change.
  .union(
    [written, z.looseObject({ created: written }).transform((value) => value.created)],
    'must be a date such as 2025-07-08',
  )
  .transform((value, context) => {
    const found = isoDate(value);
    if (!found) context.addIssue({ code: 'custom', message: 'must be a date such as 2025-07-08' });
    return found ?? '';
  });
const tag = z.union([text, z.looseObject({ label: text }, 'must name a tag').transform((value) => value.label)]);
const person = z.union([
  z.string(),
  z.looseObject({ key: text.optional(), name: text.optional(), title: text.optional() }, 'must name an author'),
]);
// A day can be written in several ways: the first one present counts.
const dateKeys = ['date', 'pubDate', 'publishDate', 'created_at'] as const;

/** True for a key that may hold a post's day. */
export function isDateKey(key: unknown): boolean {
  return dateKeys.some((one) => one === key);
}

const oneOrMore = <T extends z.ZodType>(item: T) => z.union([z.array(item), item]).transform((value) => [value].flat());

const front = z.looseObject({
  title: text.optional(),
  linkTitle: text.optional(),
  nav_title: text.optional(),
  description: text.optional(),
  id: text.optional(),
  slug: text.optional(),
  // VitePress and Starlight keep objects here; only `false` has a meaning for us.
  sidebar: z.unknown().optional(),
  sidebar_label: text.optional(),
  sidebar_position: number.optional(),
  weight: number.optional(),
  nav_order: number.optional(),
  sort_rank: number.optional(),
  draft: flag.optional(),
  connection: text.optional(),
  planned: text
    .refine((value) => /^(?:\d+\.\d+\.\d+|later)$/.test(value), 'must be a release such as 0.3.0, or later')
    .optional(),
  date: date.optional(),
  // Other tools' names for a post's day.
  pubDate: date.optional(),
  publishDate: date.optional(),
  created_at: date.optional(),
  tags: oneOrMore(tag).optional(),
  author: oneOrMore(person).optional(),
  authors: oneOrMore(person).optional(),
  // Prometheus' name for it.
  author_name: oneOrMore(person).optional(),
  aliases: oneOrMore(text).optional(),
});

/** The names of the keys that are read. */
export const frontKeys: readonly string[] = Object.keys(front.shape);

/**
 * What is read from front matter; all other keys are ignored, since foreign trees have many. A null value counts as a
 * missing key.
 */
export const frontSchema = z.preprocess(
  (raw) =>
    typeof raw === 'object' && raw !== null
      ? Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
      : raw,
  front,
);

/** Converts checked front matter to the one shape that the rest uses. */
export function toFront(value: z.infer<typeof frontSchema>, at: (path: DataPath) => Position): Front {
  const position = value.sidebar_position ?? value.weight ?? value.nav_order ?? value.sort_rank;
  const label = value.sidebar_label ?? value.linkTitle ?? value.nav_title;
  const tags = (value.tags ?? []).flatMap((name, index) =>
    name.split(',').flatMap((part) => (part.trim() ? [{ name: part.trim(), ...at(['tags', index]) }] : [])),
  );
  const key = (['authors', 'author', 'author_name'] as const).find((name) => value[name] !== undefined) ?? 'authors';
  const authors = writtenAuthors(value[key] ?? [], (index) => at([key, index]));
  return {
    sidebar: value.sidebar !== false,
    draft: value.draft ?? false,
    tags,
    authors,
    aliases: value.aliases ?? [],
    ...given({ title: value.title, description: value.description?.trim() }),
    ...given({
      sidebarLabel: label,
      position,
      date: dateKeys.map((key) => value[key]).find((day) => day !== undefined),
    }),
    ...(value.id !== undefined && { id: { name: value.id, ...at(['id']) } }),
    ...(value.planned !== undefined && { planned: { name: value.planned, ...at(['planned']) } }),
    ...(value.slug !== undefined && { slug: { name: value.slug, ...at(['slug']) } }),
    ...(value.connection !== undefined && { connection: { name: value.connection, ...at(['connection']) } }),
  };
}

/** The entries that have a value. */
function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Partial<T> = { ...values };
  for (const key in kept) if (kept[key] === undefined) delete kept[key];
  return kept as { [K in keyof T]?: Exclude<T[K], undefined> };
}

type Person = string | { key?: string | undefined; name?: string | undefined; title?: string | undefined };

function writtenAuthors(people: Person[], at: (index: number) => Position): WrittenAuthor[] {
  return people.flatMap((person, index) => {
    const place = at(index);
    if (typeof person === 'string') return person.trim() ? [{ name: person.trim(), ...place }] : [];
    const name = person.key ?? person.name;
    if (!name) return [];
    return [
      { name, ...place, ...(person.name && { label: person.name }), ...(person.title && { title: person.title }) },
    ];
  });
}
