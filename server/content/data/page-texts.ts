import { z } from 'zod';
import type { Catalogue } from '../../../client/contract/catalogue.ts';
import type {
  AboutText,
  AccountText,
  ClosingText,
  ConnectorText,
  HomeText,
  PageTexts,
  PricingText,
  SolutionText,
  WhyText,
} from '../../../client/contract/page-texts.ts';
import type { Fault } from '../fault.ts';
import type { YamlResult } from '../yaml.ts';
import { link } from './navigation.ts';
import { template } from './template.ts';

const text = z.string().min(1);
/** What the catalogue's `countsOf` counts. */
const counted = ['connectors', 'compatible', 'sources', 'targets', 'pairs'];
const head = { title: text, lede: text.exactOptional(), link: link.exactOptional() };
const banner = { title: text, lede: text };
const titled = { title: text, text };

/** A section with a list. */
const sectionOf = <Item extends z.ZodType>(item: Item) => z.strictObject({ ...head, items: z.array(item).min(1) });

const home: z.ZodType<HomeText> = z.strictObject({
  hero: z.strictObject({ claim: text, words: z.array(text).min(1), lede: text, link, caption: text }),
  strengths: sectionOf(
    z.strictObject({
      mark: z.enum(['delay', 'position', 'proof', 'breadth', 'change', 'place']),
      ...titled,
      condition: text,
    }),
  ),
  functions: sectionOf(
    z.strictObject({
      id: z.enum([
        'full',
        'incremental',
        'schema',
        'processing',
        'verification',
        'correction',
        'two-way',
        'monitoring',
      ]),
      name: text,
      text,
      ticks: z.array(text),
      link,
    }),
  ),
  connectors: z.strictObject({
    ...head,
    title: template(...counted),
    lede: template(...counted).exactOptional(),
  }),
  solutions: sectionOf(z.strictObject({ drawing: z.enum(['analytics', 'retrieval']), ...titled, link })),
  deployments: sectionOf(
    z.strictObject({
      kind: z.enum(['managed', 'byoc', 'onPremise']),
      name: text,
      text,
      facts: z.record(z.string(), text),
      link,
    }),
  ),
  posts: z.strictObject(head),
});

const why: z.ZodType<WhyText> = z.strictObject({
  banner: z.strictObject(banner),
  comparison: z.strictObject({
    ...head,
    approaches: z.strictObject({ batch: text, ownStack: text }),
    properties: z.array(z.strictObject({ name: text, batch: text, ownStack: text, product: text })),
  }),
  scenarios: sectionOf(
    z.strictObject({ title: text, situation: text, job: text, decide: text, href: link.shape.href }),
  ),
  staleness: z.strictObject({
    ...head,
    explanation: z.array(template('rows', 'value')),
    example: z.strictObject({
      rowsPerHour: z.number().positive(),
      usdPerRow: z.number().positive(),
      ways: z.array(z.strictObject({ name: text, minutes: z.number().nonnegative(), why: text })),
    }),
  }),
});

const solution: z.ZodType<SolutionText> = z.strictObject({
  banner: z.strictObject({ name: text, ...banner, link }),
  strengths: sectionOf(
    z.strictObject({
      icon: z.enum(['bolt', 'table', 'code', 'check', 'layers', 'loop', 'search', 'shield']),
      ...titled,
    }),
  ),
  architecture: z.strictObject({ ...head, captions: z.array(z.strictObject(titled)) }),
  steps: sectionOf(z.strictObject({ ...titled, link })),
  cases: sectionOf(z.strictObject({ ...titled, source: text, target: text })),
  limits: sectionOf(text),
  related: z.strictObject({
    ...head,
    tag: text,
    documents: z.array(z.strictObject({ href: link.shape.href })),
  }),
});

const about: z.ZodType<AboutText> = z.strictObject({
  banner: z.strictObject({ eyebrow: text, ...banner }),
  work: sectionOf(z.strictObject(titled)),
  principles: sectionOf(z.strictObject(titled)),
  releases: z.strictObject(head),
  contact: sectionOf(z.strictObject({ ...titled, email: text })),
});

const pricing: z.ZodType<PricingText> = z.strictObject({
  banner: z.strictObject(banner),
  plans: z.strictObject(head),
  prices: z.strictObject({
    ...head,
    lede: template('currency').exactOptional(),
    cloud: z.strictObject({ title: text, text: template('credits', 'worth') }),
    licence: z.strictObject({ title: text, text: template('hour', 'hours', 'month', 'year') }),
  }),
  examples: z.strictObject({
    ...head,
    comparison: template('millions'),
    cloud: z.strictObject({
      title: text,
      amounts: z.record(z.string(), z.number().nonnegative()),
      note: template('left'),
    }),
    licence: z.strictObject({ title: text, note: template('links', 'price', 'fewer', 'fewerPrice') }),
    calculator: text,
  }),
  questions: z.strictObject({ title: text }),
});

const closing: z.ZodType<ClosingText> = z.strictObject({ ...banner, link });

const connector: z.ZodType<ConnectorText> = z.strictObject({
  banner: z.strictObject({ title: text, lede: template(...counted) }),
  noneFound: z.strictObject(titled),
  closing,
});

const panel = {
  title: text,
  points: z.array(z.strictObject({ term: text, text, link: link.exactOptional() })),
};

const account: z.ZodType<AccountText> = z.strictObject({
  account: z.strictObject(panel),
  market: z.strictObject({ lede: text, ...panel }),
  reset: z.strictObject(panel),
});

/** Use cases whose source or target is not in the catalogue. */
export function unknownConnectors({ connectors }: Catalogue) {
  const ids = new Set(connectors.map(({ id }) => id));
  return (file: string, { value, at }: Pick<YamlResult<SolutionText>, 'value' | 'at'>): Fault[] =>
    (value?.cases.items ?? []).flatMap((item, index) =>
      (['source', 'target'] as const)
        .filter((side) => !ids.has(item[side]))
        .map((side) => {
          const message = `cases.items.${index}.${side}: unknown connector ${item[side]}`;
          return { file, ...at(['cases', 'items', index, side]), rule: 'schema', message };
        }),
    );
}

/** `pages/<name>.yml`. */
export const pageTextSchemas: { [Name in keyof PageTexts]: z.ZodType<PageTexts[Name]> } = {
  index: home,
  why,
  connector,
  solution1: solution,
  solution2: solution,
  pricing,
  about,
  account,
  closing,
};
