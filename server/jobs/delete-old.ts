import { dayMs } from '../../client/contract/dates.ts';
import type { Queries } from '../storage/database.ts';
import { deleteOldSamples } from './samples.ts';

/** How long revoked keys and their uses are kept: until then people may ask who did what with a key. */
const keyUseKeptMs = 90 * dayMs;
/** A container has a new name after each upgrade; a machine that comes back sooner is still known. */
const workerKeptMs = 30 * dayMs;

/** Deletes used nonces, revoked keys, vanished workers, old samples and key uses. @param now epoch milliseconds */
export async function deleteOldOfJobs(queries: Queries, now: number): Promise<void> {
  await queries.run('DELETE FROM used_key_nonce WHERE expires_at <= $1', [now]);
  await queries.run('DELETE FROM api_key_use WHERE at <= $1', [now - keyUseKeptMs]);
  await queries.run('DELETE FROM api_key WHERE revoked_at <= $1', [now - keyUseKeptMs]);
  await queries.run('DELETE FROM job_worker WHERE seen_at <= $1', [now - workerKeptMs]);
  await deleteOldSamples(queries, now);
}
