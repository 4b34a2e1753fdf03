import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { parse } from 'pg-connection-string';
import { driverUrl } from '../../server/storage/postgres-url.ts';

/** Parameters that the driver and PostgreSQL's programs read differently; `parse` would also read the files. */
const ofDriver = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'uselibpqcompat'];

/**
 * The environment in which `pg_dump` or `psql` reaches a database. It names everything of the address: the programs
 * refuse some of what the driver takes, and everyone on the machine can read their arguments.
 * @param databaseUrl as in `DATABASE_URL`
 */
export function programEnvironment(databaseUrl: string): NodeJS.ProcessEnv {
  // Certificates are checked as the driver checks them.
  const [server = '', query = ''] = driverUrl(databaseUrl).split('?');
  const parameters = new URLSearchParams(query);
  const [ssl, mode, certificate, key, authority] = ofDriver.map((name) => parameters.get(name));
  const others = query.split('&').filter((parameter) => !ofDriver.includes(parameter.split('=')[0] ?? ''));
  const { host, port, user, password, database, options } = parse(`${server}?${others.join('&')}`);
  const asked = mode || (ssl === 'true' || ssl === '1' ? 'verify-full' : undefined);
  // Without a check of the certificate, the same is `require`.
  const sslMode = asked === 'no-verify' ? 'require' : asked;
  const trusted = asked?.startsWith('verify-') ? authority || knownAuthorities() : authority;
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
    PGSSLROOTCERT: asked === 'no-verify' ? undefined : trusted,
  };
  const set = Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return { ...process.env, ...Object.fromEntries(set) };
}

/** A file with the authorities that Node.js trusts: PostgreSQL's programs know none unless one is set up for them. */
function knownAuthorities(): string | undefined {
  if (process.env.PGSSLROOTCERT || existsSync(join(homedir(), '.postgresql/root.crt'))) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'millrace-authorities-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'root.crt');
  writeFileSync(file, getCACertificates().join('\n'));
  return file;
}
