import { EngineError } from './errors.ts';
import type { Fault } from './protocol.ts';

/**
 * What a person is told of an error. Of one that no rule covers its message stays here, since a driver may have put values
 * into it; the names of its kind and of the functions it came through go to standard error.
 */
export function faultOf(error: unknown): Fault {
  const known = error instanceof EngineError ? error : new EngineError('UNEXPECTED', placeOf(error));
  return { code: known.code, sentence: known.message, hint: known.hint, retry: known.retry };
}

function placeOf(error: unknown): { subject?: string } {
  if (!(error instanceof Error)) return {};
  const frame = error.stack?.split('\n').find((line) => line.includes('/server/engine/'));
  const where = frame && /server\/engine\/[\w./-]+:\d+/.exec(frame)?.[0];
  return { subject: where ? `${error.name} in ${where}` : error.name };
}
