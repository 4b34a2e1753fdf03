import type { Root } from 'hast';
import { z } from 'zod';
import type { Body, Front, PageFacts } from './page-facts.ts';

/** Facts as stored; `broken` says why there is no text. */
export interface StoredFacts extends PageFacts {
  broken?: string[];
}

const place = { line: z.int(), column: z.int() };
const filePlace = { file: z.string().exactOptional(), ...place };
const namedPlace = z.object({ name: z.string(), ...place });

const front: z.ZodType<Front> = z.object({
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  id: namedPlace.exactOptional(),
  slug: namedPlace.exactOptional(),
  sidebar: z.boolean(),
  sidebarLabel: z.string().exactOptional(),
  position: z.number().exactOptional(),
  draft: z.boolean(),
  withheld: z.literal(true).exactOptional(),
  connection: namedPlace.exactOptional(),
  date: z.string().exactOptional(),
  planned: namedPlace.exactOptional(),
  tags: z.array(namedPlace),
  authors: z.array(namedPlace.extend({ label: z.string().exactOptional(), title: z.string().exactOptional() })),
  aliases: z.array(z.string()),
});

// Hand-written, since a tree has thousands of nodes and is read for every page that is shown: a schema takes twice as
// long as parsing the JSON.
const root = z.custom<Root>(
  (value) => isObject(value) && value.type === 'root' && isNodes(value.children),
  'is not a tree of elements and text',
);

function isNodes(value: unknown): boolean {
  return Array.isArray(value) && value.every(isNode);
}

function isNode(node: unknown): boolean {
  if (!isObject(node)) return false;
  if (node.type === 'text') return typeof node.value === 'string';
  const isElement = node.type === 'element' && typeof node.tagName === 'string';
  return (
    isElement && isObject(node.properties) && Object.values(node.properties).every(isProperty) && isNodes(node.children)
  );
}

function isProperty(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isSingle) : isSingle(value);
}

function isSingle(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What a compiled page must look like when read from the cache, a file that may have been altered in any way. */
export const factsSchema: z.ZodType<StoredFacts> = z.object({
  front,
  heading: z.string().exactOptional(),
  intro: z.string(),
  ids: z.array(z.string()),
  topIds: z.array(z.string()),
  references: z.array(z.object({ kind: z.enum(['link', 'image']), href: z.string(), ...filePlace })),
  excerpt: root.exactOptional(),
  readingMinutes: z.number(),
  faults: z.array(z.object({ ...filePlace, rule: z.string(), message: z.string() })),
  broken: z.array(z.string()).exactOptional(),
});

export const bodySchema: z.ZodType<Body> = z.object({
  tree: root,
  toc: z.array(z.object({ depth: z.union([z.literal(2), z.literal(3)]), id: z.string(), text: z.string() })),
  text: z.string(),
});
