import { dayMs } from '../../client/contract/dates.ts';
import type { Deletion } from '../console/tasks/delete-each.ts';
import { oldSamples } from './samples.ts';

/** How long revoked keys and their uses are kept: until then people may ask who did what with a key. */
const keyUseKeptMs = 90 * dayMs;
/** A container has a new name after each upgrade; a machine that comes back sooner is still known. */
const workerKeptMs = 30 * dayMs;

/** What deletes used nonces, revoked keys, vanished workers, old samples and key uses. @param now epoch milliseconds */
export function oldRowsOfJobs(now: number): Deletion[] {
  return [
    ['DELETE FROM used_key_nonce WHERE expires_at <= $1', [now]],
    ['DELETE FROM api_key_use WHERE at <= $1', [now - keyUseKeptMs]],
    ['DELETE FROM api_key WHERE revoked_at <= $1', [now - keyUseKeptMs]],
    ['DELETE FROM job_worker WHERE seen_at <= $1', [now - workerKeptMs]],
    ...oldSamples(now),
  ];
}
