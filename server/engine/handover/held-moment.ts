import type { EngineError } from '../errors.ts';
import type { JobSpec } from '../job.ts';

/**
 * Whether a full copy waits for a session that waits for the copy: altering a table waits for the snapshot that the
 * copy holds at the source, and all other readers of the table queue behind it. Only the process's end frees it.
 */
export function isInTheWay({ type }: JobSpec, { retry, place }: EngineError): boolean {
  return type === 'MIGRATION' && retry === 'timed' && place.side === 'source';
}
