import type { z } from 'zod';
import type { Finding } from '../../client/contract/jobs/new-job.ts';
import type { findingsAnswer } from './answers.ts';

/** What a check looked at, with the words of the open API beside our own. */
export function presentFinding(finding: z.infer<typeof findingsAnswer>[number]): Finding {
  return {
    title: finding.sentence,
    preCheckType: finding.type,
    success: finding.result !== 'fault',
    checked: true,
    side: finding.side,
    result: finding.result,
    sentence: finding.sentence,
    sql: finding.sql ?? null,
    table: finding.table ?? null,
    needsConsent: finding.needsConsent ?? false,
  };
}
