import { z } from 'zod';
import { exitCodes } from './api-client.ts';

const finding = z.object({
  result: z.string(),
  side: z.string(),
  table: z.string().nullable(),
  sentence: z.string(),
  sql: z.string().nullable(),
});

/** Prints what a check found, each with the statement that fixes it. @returns the exit code: refused if there is a fault */
export function printFindings(found: unknown): number {
  const findings = z.array(finding).parse(found);
  for (const { result, side, table, sentence, sql } of findings) {
    console.log([result.padEnd('warning'.length), side, table, sentence].filter(Boolean).join('  '));
    if (sql !== null) console.log(sql.replaceAll(/^/gm, '    '));
  }
  return findings.some(({ result }) => result === 'fault') ? exitCodes.refused : exitCodes.done;
}
