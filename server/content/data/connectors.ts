import { z } from 'zod';
import type { Catalogue, Connector, ConnectorFunction } from '../../../client/contract/catalogue.ts';

const functions = z.enum(['schema', 'full', 'incremental', 'verification', 'correction']);

const fileSchema = z
  .strictObject({
    kinds: z.array(z.strictObject({ id: z.string(), label: z.string() })),
    connectors: z.array(
      z.strictObject({
        id: z.string().regex(/^[a-z0-9-]+$/),
        name: z.string().min(1),
        kind: z.string(),
        description: z.string(),
        versions: z.array(z.string()).default([]),
        document: z.string().optional(),
      }),
    ),
    pairs: z.array(
      z.strictObject({ sources: z.array(z.string()), targets: z.array(z.string()), functions: z.array(functions) }),
    ),
  })
  .superRefine((file, context) => {
    const ids = new Set(file.connectors.map((connector) => connector.id));
    const kinds = new Set(file.kinds.map((kind) => kind.id));
    file.connectors.forEach((connector, index) => {
      if (!kinds.has(connector.kind)) {
        context.addIssue({
          code: 'custom',
          path: ['connectors', index, 'kind'],
          message: `unknown kind ${connector.kind}`,
        });
      }
    });
    file.pairs.forEach((pair, index) => {
      for (const side of ['sources', 'targets'] as const) {
        pair[side].forEach((id, at) => {
          if (ids.has(id)) return;
          context.addIssue({ code: 'custom', path: ['pairs', index, side, at], message: `unknown connector ${id}` });
        });
      }
    });
  });

/** `connectors.yml`, with each connector's targets and sources worked out from the pairs. */
export const connectorsSchema = fileSchema.transform((file): Catalogue => {
  const pairFunctions: Record<string, ConnectorFunction[]> = {};
  const targets = new Map<string, Set<string>>();
  const sources = new Map<string, Set<string>>();
  for (const pair of file.pairs) {
    for (const source of pair.sources) {
      for (const target of pair.targets) {
        pairFunctions[`${source}>${target}`] = pair.functions;
        targets.set(source, (targets.get(source) ?? new Set()).add(target));
        sources.set(target, (sources.get(target) ?? new Set()).add(source));
      }
    }
  }
  const connectors = file.connectors.map(
    ({ document, ...connector }): Connector => ({
      ...connector,
      ...(document === undefined ? {} : { document: `/docs/${document}` }),
      targets: [...(targets.get(connector.id) ?? [])],
      sources: [...(sources.get(connector.id) ?? [])],
    }),
  );
  return { kinds: file.kinds, connectors, functions: pairFunctions };
});
