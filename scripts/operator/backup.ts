import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { readConsoleConfig } from '../../server/config/console.ts';
import { storeFile } from '../../server/console/open-store.ts';

// `npm run backup -- <folder>`: the console's store and its secret key, while the server runs or not.
const folder = process.argv[2];
const config = readConsoleConfig(process.env);

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

if (folder === undefined) fail('Name an empty folder: npm run backup -- <folder>');
mkdirSync(folder, { recursive: true, mode: 0o700 });
if (readdirSync(folder).length > 0) fail(`${folder} is not empty.`);

if (config.databaseUrl === undefined) {
  const source = join(config.dataDir, storeFile);
  if (!existsSync(source)) fail(`There is no store in ${config.dataDir} yet.`);
  const database = new DatabaseSync(source, { readOnly: true });
  await backup(database, join(folder, storeFile));
  database.close();
} else {
  const args = [
    '--format=custom',
    '--no-owner',
    `--file=${join(folder, 'console.dump')}`,
    '--dbname',
    config.databaseUrl,
  ];
  const { status, error } = spawnSync('pg_dump', args, { stdio: 'inherit' });
  if (status !== 0)
    fail(error ? 'pg_dump is needed for PostgreSQL (Debian: postgresql-client).' : 'pg_dump failed, see above.');
}
const key = join(config.dataDir, 'secret.key');
if (config.secretKey === undefined && existsSync(key)) copyFileSync(key, join(folder, 'secret.key'));
console.log(`Written: ${folder}. It holds what opens licences and payments: keep it as carefully as the server.`);
