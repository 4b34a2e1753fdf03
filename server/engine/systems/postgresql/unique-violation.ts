import pg from 'pg';

const states = ['23505', '23P01'];

/** Whether a row was refused because another one has its unique value, or one that a constraint excludes beside it. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && states.includes(error.code);
}
