import pg from 'pg';

/** Whether a row was refused because another one has its unique value. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '23505';
}
