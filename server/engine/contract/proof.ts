import { z } from 'zod';

/** One version of a system, as it reports itself; `release` is what its users call it: 15 for 15.14. */
const system = z.strictObject({ family: z.string(), release: z.string(), version: z.string() });

/** What a passing test proves; `npm run evidence` collects it from the tests' meta. */
export const proofSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('side'), system, side: z.enum(['source', 'target']) }),
  z.strictObject({
    kind: z.literal('pair'),
    source: system,
    target: system,
    functions: z.array(z.enum(['schema', 'full', 'incremental'])),
    rows: z.int().positive(),
  }),
  z.strictObject({ kind: z.literal('statements'), system, document: z.string(), blocks: z.int().positive() }),
]);

export type Proof = z.infer<typeof proofSchema>;
export type ProvedSystem = z.infer<typeof system>;

declare module 'vitest' {
  interface TaskMeta {
    proves?: Proof;
  }
}
