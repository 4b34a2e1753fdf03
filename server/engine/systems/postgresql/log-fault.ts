import type { Finding } from '../../finding.ts';

/** What keeps a job from following the log of a server. @param sql what an administrator can run against it */
export function logFault(sentence: string, sql?: string): Finding {
  return { type: 'BINLOG_EXISTENCE', side: 'source', result: 'fault', sentence, ...(sql && { sql }) };
}
