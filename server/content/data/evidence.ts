import { join } from 'node:path';
import { z } from 'zod';
import { realInside } from '../confine.ts';
import type { Fault } from '../fault.ts';
import { readText } from '../read-text.ts';

const name = 'evidence.json';
const system = { family: z.string().min(1), release: z.string().min(1), version: z.string().min(1) };
const count = z.int().positive();

/** What our tests ran on this code: written by `npm run evidence`. */
export const evidenceSchema = z.strictObject({
  made: z.iso.date(),
  /** Commit of the working copy in which the tests ran; null without git. */
  commit: z.string().nullable(),
  /** SHA-256 of server/engine and the lock file. */
  code: z.string().regex(/^[0-9a-f]{64}$/),
  tests: count,
  /** Contract suites. */
  systems: z.array(z.strictObject({ ...system, side: z.enum(['source', 'target']), tests: count })),
  pairs: z.array(
    z.strictObject({
      source: z.strictObject(system),
      target: z.strictObject(system),
      functions: z.array(z.enum(['schema', 'full', 'incremental', 'verification', 'correction'])),
      rows: count,
    }),
  ),
  /** SQL blocks in documents. */
  statements: z.array(z.strictObject({ document: z.string(), ...system, blocks: count })),
});

export type Evidence = z.infer<typeof evidenceSchema>;

/** Nothing is proved: every system is planned. */
const none: Pick<Evidence, 'systems' | 'pairs'> = { systems: [], pairs: [] };

/** The evidence that comes with the code; when it is missing or damaged, no evidence and a fault that says so. */
export function readEvidence(builtInDir: string): { evidence: Pick<Evidence, 'systems' | 'pairs'>; faults: Fault[] } {
  const path = join(builtInDir, name);
  const read = readText(realInside(builtInDir, path) ?? path);
  if ('problem' in read) return withoutEvidence(`it ${read.problem}`);
  const parsed = evidenceSchema.safeParse(jsonOf(read.text));
  if (parsed.success) return { evidence: parsed.data, faults: [] };
  const [issue] = parsed.error.issues;
  return withoutEvidence(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
}

function withoutEvidence(reason: string): ReturnType<typeof readEvidence> {
  const why = reason.replace(/\.$/, '');
  const message = `Every connector is shown as planned, because the evidence cannot be used (${why}). \`npm run evidence\` recreates it.`;
  return { evidence: none, faults: [{ file: name, line: 1, column: 1, rule: 'evidence', message }] };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
