import type { Finding } from '../../finding.ts';

/** What prevents a job from following a server's log. @param sql what an administrator can run to resolve it */
export function logFault(sentence: string, sql?: string): Finding {
  return { type: 'BINLOG_EXISTENCE', side: 'source', result: 'fault', sentence, ...(sql && { sql }) };
}
