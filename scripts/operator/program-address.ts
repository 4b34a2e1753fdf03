/** The address and environment with which a PostgreSQL program reaches a database. */
export interface ProgramAddress {
  /** Without the password: everyone on the machine can read a program's arguments. */
  url: string;
  env: NodeJS.ProcessEnv;
}

const ofUser = /^(\w+:\/\/[^:/?@]*):([^/?@]*)@/;
const ofQuery = /([?&])password=([^&]*)/;

/** The address and environment for `pg_dump` or `psql`. @param databaseUrl as in `DATABASE_URL` */
export function programAddress(databaseUrl: string): ProgramAddress {
  const password = ofQuery.exec(databaseUrl)?.[2] ?? ofUser.exec(databaseUrl)?.[2];
  return {
    url: databaseUrl.replace(ofUser, '$1@').replace(ofQuery, '$1'),
    env: { ...process.env, ...(password !== undefined && { PGPASSWORD: decodeURIComponent(password) }) },
  };
}
