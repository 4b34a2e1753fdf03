import { z } from 'zod';
import type { Evidence } from '../../server/content/data/evidence.ts';
import { type Proof, type ProvedSystem, proofSchema } from '../../server/engine/contract/proof.ts';

/** The part of vitest's JSON report that we read. */
const report = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string(),
          meta: z.object({ proves: proofSchema.optional() }).default({}),
        }),
      ),
    }),
  ),
});

type Collected = Pick<Evidence, 'tests' | 'systems' | 'pairs' | 'statements'>;

/** What the tests of a run prove. @throws with one sentence if one of them failed, or nothing was proved */
export function collect(json: unknown): Collected {
  const { success, numPassedTests, testResults } = report.parse(json);
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  if (!success || failed.length > 0)
    throw new Error(`Tests failed, so nothing is proved: ${failed.join('; ') || 'see above'}.`);
  const proofs = results.flatMap(({ status, meta }) => (status === 'passed' && meta.proves ? [meta.proves] : []));
  if (proofs.length === 0) throw new Error('No test reported what it proves.');
  return { tests: numPassedTests, ...listed(proofs) };
}

function listed(proofs: readonly Proof[]): Omit<Collected, 'tests'> {
  const systems = new Map<string, Evidence['systems'][number]>();
  const pairs: Evidence['pairs'] = [];
  const statements: Evidence['statements'] = [];
  for (const proof of proofs) {
    if (proof.kind === 'side') {
      const key = `${nameOf(proof.system)} ${proof.side}`;
      const known = systems.get(key);
      systems.set(key, { ...proof.system, side: proof.side, tests: (known?.tests ?? 0) + 1 });
    } else if (proof.kind === 'pair') {
      const { kind: _, ...pair } = proof;
      pairs.push(pair);
    } else {
      const { kind: _, system, document, blocks } = proof;
      statements.push({ document, ...system, blocks });
    }
  }
  const byText = (a: object, b: object) => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en', { numeric: true });
  return {
    systems: [...systems.values()].toSorted(byText),
    pairs: pairs.toSorted(byText),
    statements: statements.toSorted(byText),
  };
}

function nameOf({ family, version }: ProvedSystem): string {
  return `${family} ${version}`;
}
