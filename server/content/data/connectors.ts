import { z } from 'zod';
import type { Catalogue, Connector, ConnectorFunction, ProvedPair } from '../../../client/contract/catalogue.ts';
import type { Evidence } from './evidence.ts';

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
        /** The system whose wire protocol it speaks. */
        speaks: z.string().optional(),
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
    file.connectors.forEach(({ speaks }, index) => {
      if (speaks === undefined || ids.has(speaks)) return;
      context.addIssue({
        code: 'custom',
        path: ['connectors', index, 'speaks'],
        message: `unknown connector ${speaks}`,
      });
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

type File = z.infer<typeof fileSchema>;
type Proved = Pick<Evidence, 'systems' | 'pairs'>;

/**
 * `connectors.yml`, with each connector's targets and sources derived from the pairs, and labels derived from the
 * evidence.
 */
export function connectorsSchema(evidence: Proved) {
  return fileSchema.transform((file): Catalogue => catalogueOf(file, evidence));
}

function catalogueOf(file: File, evidence: Proved): Catalogue {
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
    ({ document, speaks, ...connector }): Connector => ({
      ...connector,
      ...labelOf(connector.id, speaks, evidence),
      ...(document === undefined ? {} : { document: `/docs/${document}` }),
      targets: [...(targets.get(connector.id) ?? [])],
      sources: [...(sources.get(connector.id) ?? [])],
    }),
  );
  return {
    kinds: file.kinds,
    connectors,
    functions: pairFunctions,
    proved: provedPairs(evidence, new Set(connectors.map(({ id }) => id))),
  };
}

/** A system is tested when its contract suites ran on both sides; catalogue ids are engine families. */
function labelOf(
  id: string,
  speaks: string | undefined,
  evidence: Proved,
): Pick<Connector, 'label' | 'family' | 'tested'> {
  const own = testedReleases(id, evidence);
  if (own.length > 0) return { label: 'tested', family: id, tested: own };
  const spoken = speaks === undefined ? [] : testedReleases(speaks, evidence);
  if (speaks !== undefined && spoken.length > 0) return { label: 'compatible', family: speaks, tested: spoken };
  return { label: 'planned', tested: [] };
}

function testedReleases(family: string, { systems }: Proved): string[] {
  const of = (side: 'source' | 'target') =>
    systems.filter((one) => one.family === family && one.side === side).map(({ release }) => release);
  const targets = new Set(of('target'));
  return [...new Set(of('source'))].filter((release) => targets.has(release));
}

/** @param listed catalogue ids; an operator's own catalogue may omit what we test */
function provedPairs({ pairs }: Proved, listed: ReadonlySet<string>): Record<string, ProvedPair> {
  const proved: Record<string, ProvedPair> = {};
  for (const { source, target, functions } of pairs) {
    if (!listed.has(source.family) || !listed.has(target.family)) continue;
    const name = `${source.family}>${target.family}`;
    const known = proved[name] ?? { functions, releases: [] };
    proved[name] = {
      // A function holds for the whole pair only if it holds for each of its version pairs.
      functions: known.functions.filter((one) => functions.includes(one)),
      releases: [...known.releases, [source.release, target.release]],
    };
  }
  return proved;
}
