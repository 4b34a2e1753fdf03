import { EngineError } from './errors.ts';
import type { Fault } from './protocol.ts';

/**
 * What people are told about an error. An unexpected error's own message is withheld, since a driver may have put
 * values into it; only its class and its place in our code are named.
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
