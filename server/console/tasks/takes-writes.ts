import type { Database } from '../../storage/database.ts';

/** Whether the store takes writes: if so, what it was silent about is at fault itself. No other work locks this task. */
export async function takesWrites(database: Database): Promise<boolean> {
  try {
    await database.run("UPDATE task SET attempts = attempts WHERE kind = 'bills'");
    return true;
  } catch {
    return false;
  }
}
