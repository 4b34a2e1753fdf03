import pg from 'pg';

/** SQLSTATEs for a schema, a table or index, a column, or another object that already exists. */
const ofObjects = ['42P06', '42P07', '42701', '42710'];

/**
 * Whether another session has created an object since it was looked up: either before the statement checked, or while
 * the statement waited for that session, which a catalogue index then reports.
 */
export function alreadyExists(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return ofObjects.includes(error.code ?? '') || (error.code === '23505' && error.schema === 'pg_catalog');
}
