import { z } from 'zod';
import type { Finding } from '../../client/contract/jobs/new-job.ts';
import type { findingsAnswer } from './answers.ts';
import type { JobServices } from './services.ts';

type Found = z.infer<typeof findingsAnswer>[number];

/** The slot and the publication of a job are named after it. */
const logName = /\bmillrace_(canal[a-z0-9]+)\b/;
const anyRow = z.unknown();

/**
 * What a check looked at, with the words of the open API beside our own. Nobody is told to drop the slot or the
 * publication of a job that this installation still has, be it a stopped one.
 */
export async function presentFindings({ database }: JobServices, findings: readonly Found[]): Promise<Finding[]> {
  const sql = `SELECT 1 FROM data_job WHERE name = $1 AND life_cycle <> 'DELETED'`;
  const isKept = async (finding: Found) => {
    const [, job] = (finding.result === 'warning' && logName.exec(finding.sql ?? '')) || [];
    return job !== undefined && (await database.one(anyRow, sql, [job])) !== undefined;
  };
  const kept = await Promise.all(findings.map(isKept));
  return findings.filter((_finding, at) => !kept[at]).map(presented);
}

function presented(finding: Found): Finding {
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
