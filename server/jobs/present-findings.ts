import { z } from 'zod';
import type { Finding } from '../../client/contract/jobs/new-job.ts';
import type { findingsAnswer } from './answers.ts';
import type { JobServices } from './services.ts';

type Found = z.infer<typeof findingsAnswer>[number];

/** A job's slot and publication are named after it. */
const logName = /\bmillrace_(canal[a-z0-9]+)\b/;
const anyRow = z.unknown();

/**
 * What a check found, with the open API's terms beside our own. It never suggests dropping the slot or publication of a
 * job that this installation still has, even a stopped one.
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
