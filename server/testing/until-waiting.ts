import { expect, vi } from 'vitest';
import { z } from 'zod';
import type { Queries } from '../storage/database.ts';
import { patience } from './patience.ts';

const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
const session = z.object({ pid: z.number() });

/** Waits until this many sessions of a PostgreSQL store wait for a lock. */
export async function untilWaiting(database: Queries, count: number): Promise<void> {
  await vi.waitFor(async () => expect(await database.all(session, waiting)).toHaveLength(count), patience);
}
