import { expect, test, vi } from 'vitest';
import { readConsoleConfig } from '../config/console.ts';
import { childEnv } from './child-env.ts';

test.each([
  ['postgres://user:word@store.example/millrace', 'store.example:5432'],
  ['postgres://user:word@store.example:6000/millrace', 'store.example:6000'],
  ['postgres://user:word@store.example/millrace?host=other.example&port=6000', 'other.example:6000'],
  ['postgres://user:word@/millrace?host=/var/run/postgresql', '127.0.0.1:5432'],
  ['postgres://user:word@[::1]:6000/millrace', '::1:6000'],
])('no job connects to the store %s', (databaseUrl, forbidden) => {
  const config = readConsoleConfig({ DATABASE_URL: databaseUrl, CONSOLE_PORT: '7777' });
  expect(childEnv(config).ENGINE_FORBIDDEN).toBe(`127.0.0.1:7777,${forbidden}`);
});

test('jobs do not inherit secrets from the environment of the server', () => {
  const secrets = {
    SECRET_KEY: 'a secret of the installation of 32 letters',
    DATABASE_URL: 'postgres://user:word@/millrace',
  };
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
  const env = childEnv(readConsoleConfig(secrets));
  vi.unstubAllEnvs();
  expect(Object.keys(env).filter((name) => !name.startsWith('ENGINE_'))).toEqual(
    expect.arrayContaining(['TZ', 'NODE_ENV']),
  );
  for (const secret of ['installation', 'word']) expect(JSON.stringify(env)).not.toContain(secret);
});
