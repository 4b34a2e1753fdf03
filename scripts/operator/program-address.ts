/** Where one of PostgreSQL's own programs finds a database, and with what. */
export interface ProgramAddress {
  /** Without the password: everybody on the machine can read the arguments of a program. */
  url: string;
  env: NodeJS.ProcessEnv;
}

const ofUser = /^(\w+:\/\/[^:/?@]*):([^/?@]*)@/;
const ofQuery = /([?&])password=([^&]*)/;

/** What to start `pg_dump` or `psql` with. @param databaseUrl as in `DATABASE_URL` */
export function programAddress(databaseUrl: string): ProgramAddress {
  const password = ofQuery.exec(databaseUrl)?.[2] ?? ofUser.exec(databaseUrl)?.[2];
  return {
    url: databaseUrl.replace(ofUser, '$1@').replace(ofQuery, '$1'),
    env: { ...process.env, ...(password !== undefined && { PGPASSWORD: decodeURIComponent(password) }) },
  };
}
