import pg from 'pg';

/** SQLSTATEs of a schema, a table or index, a column, and another object that is there. */
const ofObjects = ['42P06', '42P07', '42701', '42710'];

/**
 * Whether somebody has made an object since it was looked for: before a statement looked itself, or while that waited for them,
 * which the index of a catalogue tells.
 */
export function isThereAlready(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return ofObjects.includes(error.code ?? '') || (error.code === '23505' && error.schema === 'pg_catalog');
}
