import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configFaults } from '../testing/config-faults.ts';
import { testFolder } from '../testing/content-folder.ts';
import { readConsoleConfig } from './console.ts';

const folder = testFolder('millrace-settings');

const faultsOf = (env: Record<string, string>) => configFaults(() => readConsoleConfig(env));

test.each([{ JOB_PLACES: 'many' }, { JOB_PLACES: '2.5' }, { JOB_PLACES: '0' }, { JOB_PLACES_MEMORY_MB: '4 GB' }])(
  '%o is told as no whole number',
  (env) => {
    expect(faultsOf(env)).toEqual([`${Object.keys(env)[0]} must be a whole number from 1 on.`]);
  },
);

test.each(['se#cret', '12#cret', 'se/cret', '12/cret', 'se?cret', '12?cret', '12/cret@x'])(
  'a password %s that is not escaped is told by its address, and stays a secret',
  (password) => {
    const faults = faultsOf({
      DATABASE_URL: `postgres://ada:${password}@db.example/millrace`,
      SMTP_URL: `smtps://ada:${password}@mail.example`,
    });
    expect(faults).toEqual([
      expect.stringMatching(/^DATABASE_URL must be an address such as .+ as %23, %2F, %3F and %40\.$/),
      expect.stringMatching(/^SMTP_URL must be an address such as .+ as %23, %2F, %3F and %40\.$/),
    ]);
    expect(faults.join()).not.toContain('cret');
  },
);

test.each([
  { DATABASE_URL: 'postgres://ada:se%23cret@db.example:5432/millrace?sslmode=require' },
  { DATABASE_URL: 'postgresql://ada@corp:p@ss@[::1]/millrace' },
  { DATABASE_URL: 'postgres://ada:secret@/millrace?host=/var/run/postgresql' },
  { DATABASE_URL: 'postgres:///millrace?host=/var/run/postgresql' },
  { DATABASE_URL: 'postgres://%2Fvar%2Frun%2Fpostgresql/millrace' },
  { SMTP_URL: 'smtp://127.0.0.1:25' },
  { SMTP_URL: 'smtps://ada@corp.example:p%ss@mail.example/?pool=true', PUBLIC_URL: 'https://site.example' },
  { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'no-reply@site.example' },
  { MAIL_FROM: 'Millrace <no-reply@example.com>' },
  { MAIL_FROM: 'no-reply@example.com' },
])('%o is taken', (env) => expect(faultsOf(env)).toEqual([]));

test('a mode of TLS that PostgreSQL has not, and certificates that cannot be read, are told', () => {
  const missing = join(folder, 'missing.pem');
  const address = (query: string) => ({ DATABASE_URL: `postgres://ada:secret@db.example/millrace?${query}` });
  expect(faultsOf(address('sslmode=bogus'))).toEqual([
    'DATABASE_URL has the sslmode bogus: it must be one of disable, no-verify, prefer, require, verify-ca, verify-full.',
  ]);
  expect(faultsOf(address(`sslmode=verify-full&sslrootcert=${missing}&sslkey=${folder}`))).toEqual([
    `DATABASE_URL names ${missing} as its sslrootcert, which is no file that the server can read.`,
    `DATABASE_URL names ${folder} as its sslkey, which is no file that the server can read.`,
  ]);
});

test('a mail server elsewhere is told to need a sender while the site has no address', () => {
  expect(faultsOf({ SMTP_URL: 'smtps://mail.example' })).toEqual([
    'MAIL_FROM must be set with SMTP_URL while PUBLIC_URL is unset: mails would come from no-reply@localhost.',
  ]);
});

test('one half of the keys of Stripe is told to need the other', () => {
  expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_test_key' })).toEqual([
    'STRIPE_WEBHOOK_SECRET must be set together with STRIPE_SECRET_KEY.',
  ]);
  expect(faultsOf({ STRIPE_WEBHOOK_SECRET: 'whsec_test_secret' })).toEqual([
    'STRIPE_SECRET_KEY must be set together with STRIPE_WEBHOOK_SECRET.',
  ]);
});

test('a sender without an address, and a folder that is none, are told', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(faultsOf({ MAIL_FROM: 'Millrace', DATA_DIR: file })).toEqual([
    `DATA_DIR must be a folder or the name of a new one, and ${file} is none.`,
    'MAIL_FROM must have an e-mail address, such as Millrace <no-reply@example.com>.',
  ]);
  expect(faultsOf({ DATA_DIR: join(file, 'data') })).toEqual([
    `DATA_DIR must be a folder or the name of a new one, and ${file} is none.`,
  ]);
  expect(faultsOf({ DATA_DIR: join(folder, 'new/data') })).toEqual([]);
});
