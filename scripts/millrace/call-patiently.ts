import { setTimeout as delay } from 'node:timers/promises';
import { type ApiClient, ApiRefusal, exitCodes } from './api-client.ts';

/** The pause between two looks. */
export const lookMs = 1_000;
/** How long --wait waits for a job, and --follow for a server that does not answer. */
export const patienceMs = 120_000;

/**
 * Repeats a call while the server cannot answer for the moment, as while it is replaced by another version.
 * @param end when to give up, as `performance.now()` counts
 * @throws ApiRefusal then, or at once if the server refuses the call for good
 */
export async function callPatiently(client: ApiClient, path: string, body: object, end: number): Promise<unknown> {
  for (;;) {
    try {
      return await client.call(path, body, Math.max(lookMs, end - performance.now()));
    } catch (error) {
      if (!(error instanceof ApiRefusal && error.isPassing)) throw error;
      if (performance.now() + lookMs >= end) {
        throw new ApiRefusal(`Given up after two minutes: ${error.message}`, exitCodes.tooLate);
      }
    }
    await delay(lookMs);
  }
}
