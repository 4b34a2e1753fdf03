import { parse } from 'pg-connection-string';

/** Parameters that the driver and PostgreSQL's programs read differently; `parse` would also read the files. */
const ofDriver = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'uselibpqcompat'];

/**
 * The environment in which `pg_dump` or `psql` reaches a database. It names everything of the address: the programs
 * refuse some of what the driver takes, and everyone on the machine can read their arguments.
 * @param databaseUrl as in `DATABASE_URL`
 */
export function programEnvironment(databaseUrl: string): NodeJS.ProcessEnv {
  const [server = '', query = ''] = databaseUrl.split('?');
  const parameters = new URLSearchParams(query);
  const [ssl, mode, certificate, key, authority] = ofDriver.map((name) => parameters.get(name));
  const others = query.split('&').filter((parameter) => !ofDriver.includes(parameter.split('=')[0] ?? ''));
  const { host, port, user, password, database, options } = parse(`${server}?${others.join('&')}`);
  // Without a check of the certificate, the same is `require`.
  const sslMode = mode === 'no-verify' || (!mode && (ssl === 'true' || ssl === '1')) ? 'require' : mode;
  const given: Record<string, string | null | undefined> = {
    PGHOST: host,
    PGPORT: port,
    PGUSER: user,
    PGPASSWORD: password,
    PGDATABASE: database,
    PGOPTIONS: options,
    PGSSLMODE: sslMode,
    PGSSLCERT: certificate,
    PGSSLKEY: key,
    PGSSLROOTCERT: mode === 'no-verify' ? undefined : authority,
  };
  const set = Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return { ...process.env, ...Object.fromEntries(set) };
}
