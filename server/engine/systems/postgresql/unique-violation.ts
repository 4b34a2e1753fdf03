import pg from 'pg';

const states = ['23505', '23P01'];

/**
 * Whether a row was refused because another row has its unique value, or one that an exclusion constraint rules out.
 */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && states.includes(error.code);
}
