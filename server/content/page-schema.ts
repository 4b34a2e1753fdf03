/** What a compiled page must look like when it comes back from the cache, a file that anything may have happened to. */
import type { ElementContent, Root } from 'hast';
import { z } from 'zod';
import type { Body, Front, PageFacts } from './page-facts.ts';

/** Facts as they are stored; `broken` says why there is no text. */
export interface StoredFacts extends PageFacts {
  broken?: string[];
}

const place = { line: z.int(), column: z.int() };
const namedPlace = z.object({ name: z.string(), ...place });

const front: z.ZodType<Front> = z.object({
  title: z.string().exactOptional(),
  description: z.string().exactOptional(),
  id: namedPlace.exactOptional(),
  slug: z.string().exactOptional(),
  sidebar: z.boolean(),
  sidebarLabel: z.string().exactOptional(),
  position: z.number().exactOptional(),
  draft: z.boolean(),
  connection: namedPlace.exactOptional(),
  date: z.string().exactOptional(),
  planned: z.string().exactOptional(),
  tags: z.array(namedPlace),
  authors: z.array(namedPlace.extend({ label: z.string().exactOptional(), title: z.string().exactOptional() })),
  aliases: z.array(z.string()),
});

const single = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const property = z.union([single, z.array(z.union([z.string(), z.number()]))]);
const node: z.ZodType<ElementContent> = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), value: z.string() }),
    z.object({
      type: z.literal('element'),
      tagName: z.string(),
      properties: z.record(z.string(), property),
      children: z.array(node),
    }),
  ]),
);
const root: z.ZodType<Root> = z.object({ type: z.literal('root'), children: z.array(node) });

export const factsSchema: z.ZodType<StoredFacts> = z.object({
  front,
  heading: z.string().exactOptional(),
  intro: z.string(),
  ids: z.array(z.string()),
  topIds: z.array(z.string()),
  references: z.array(z.object({ kind: z.enum(['link', 'image']), href: z.string(), ...place })),
  excerpt: root.exactOptional(),
  readingMinutes: z.number(),
  faults: z.array(z.object({ ...place, rule: z.string(), message: z.string() })),
  broken: z.array(z.string()).exactOptional(),
});

export const bodySchema: z.ZodType<Body> = z.object({
  tree: root,
  toc: z.array(z.object({ depth: z.union([z.literal(2), z.literal(3)]), id: z.string(), text: z.string() })),
  text: z.string(),
});
