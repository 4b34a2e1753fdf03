import type { EngineError } from '../errors.ts';
import type { JobSpec } from '../job.ts';

/**
 * Whether a full copy waits for somebody who waits for it: whoever alters a table needs the moment gone that the copy keeps
 * at the source, and everybody else who reads the table waits behind them. Only the end of the process lets go of it.
 */
export function isInTheWay({ type }: JobSpec, { retry, place }: EngineError): boolean {
  return type === 'MIGRATION' && retry === 'timed' && place.side === 'source';
}
