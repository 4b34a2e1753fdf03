import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configFaults } from '../testing/config-faults.ts';
import { testFolder } from '../testing/content-folder.ts';
import { consoleSettings, readConsoleConfig } from './console.ts';
import { misspeltSettings } from './misspelt-settings.ts';
import { siteSettings } from './site.ts';

const folder = testFolder('millrace-settings');

const faultsOf = (env: Record<string, string>) => configFaults(() => readConsoleConfig(env));

test.each([{ JOB_PLACES: 'many' }, { JOB_PLACES: '2.5' }, { JOB_PLACES: '0' }, { JOB_PLACES_MEMORY_MB: '4 GB' }])(
  '%o is reported as not a whole number',
  (env) => {
    expect(faultsOf(env)).toEqual([`${Object.keys(env)[0]} must be a whole number, 1 or more.`]);
  },
);

test.each(['se#cret', '12#cret', 'se/cret', '12/cret', 'se?cret', '12?cret', '12/cret@x'])(
  'an unescaped password %s is reported by its setting, without revealing it',
  (password) => {
    const faults = faultsOf({
      DATABASE_URL: `postgres://ada:${password}@db.example/millrace`,
      SMTP_URL: `smtps://ada:${password}@mail.example`,
      PUBLIC_URL: 'https://site.example',
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
  { DATABASE_URL: 'postgres://ada:p,ss@db.example/millrace?options=-c%20search_path=a,b' },
  { DATABASE_URL: 'postgres://ada:secret@/millrace?host=/var/run/postgresql' },
  { DATABASE_URL: 'postgres:///millrace?host=/var/run/postgresql' },
  { DATABASE_URL: 'postgres://%2Fvar%2Frun%2Fpostgresql/millrace' },
  { SMTP_URL: 'smtp://127.0.0.1:25' },
  { SMTP_URL: 'smtps://ada@corp.example:p%ss@mail.example/?pool=true', PUBLIC_URL: 'https://site.example' },
  { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'no-reply@site.example' },
  { MAIL_FROM: 'Millrace <no-reply@example.com>' },
  { MAIL_FROM: 'no-reply@example.com' },
])('%o is accepted', (env) => expect(faultsOf(env)).toEqual([]));

test.each([
  'postgres://ada:secret@one,two/millrace?target_session_attrs=read-write',
  'postgres://ada:secret@one:5432,two:5432/millrace',
  'postgres://one,two',
  'postgres://ada:secret@/millrace?host=one,two',
  'postgres:///millrace?sslmode=require&host=one%2Ctwo',
])('several hosts, which the driver would take for one name, are reported: %s', (DATABASE_URL) => {
  expect(faultsOf({ DATABASE_URL })).toEqual([expect.stringMatching(/^DATABASE_URL must name one host: /)]);
});

test('unknown TLS modes of PostgreSQL and unreadable certificates are reported', () => {
  const missing = join(folder, 'missing.pem');
  const address = (query: string) => ({ DATABASE_URL: `postgres://ada:secret@db.example/millrace?${query}` });
  expect(faultsOf(address('sslmode=bogus'))).toEqual([
    'DATABASE_URL has the sslmode bogus: it must be one of disable, no-verify, prefer, require, verify-ca, verify-full.',
  ]);
  expect(faultsOf(address(`sslmode=verify-full&sslrootcert=${missing}&sslkey=${folder}`))).toEqual([
    `DATABASE_URL names ${missing} as its sslrootcert, which is not a file that the server can read.`,
    `DATABASE_URL names ${folder} as its sslkey, which is not a file that the server can read.`,
  ]);
});

test('a port that Kubernetes set for a service of the same name is reported as such', () => {
  expect(faultsOf({ CONSOLE_PORT: 'tcp://10.0.171.239:8111' })).toEqual([
    expect.stringMatching(/^CONSOLE_PORT is an address, as Kubernetes sets it for a service named console: /),
  ]);
});

test('quotes around any value are reported, besides other faults', () => {
  const env = { MAIL_FROM: '"Millrace <a@b.example>"', DATA_DIR: "'/data'", OIDC_NAME: '"Acme"', PORT: '"8080"' };
  const quotes = 'is in quotes, which are part of its value, as docker --env-file keeps them: write it without quotes.';
  expect(faultsOf({ ...env, JOB_PLACES: 'many' })).toEqual([
    `PORT ${quotes}`,
    `DATA_DIR ${quotes}`,
    `MAIL_FROM ${quotes}`,
    `OIDC_NAME ${quotes}`,
    'JOB_PLACES must be a whole number, 1 or more.',
  ]);
  expect(faultsOf({ MAIL_FROM: '"Millrace, Inc." <a@b.example>', OIDC_NAME: '"' })).toEqual([]);
});

test('a key keeps its quotes, since data may already be encrypted with them', () => {
  const SECRET_KEY = `"${'k'.repeat(40)}"`;
  expect(readConsoleConfig({ SECRET_KEY }).secretKey).toBe(SECRET_KEY);
});

describe('a variable that is not a setting', () => {
  const misspelt = (env: Record<string, string>) => misspeltSettings([siteSettings, consoleSettings], env);

  test.each([
    ['DATABASE_URI', 'DATABASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['SMTP_URl', 'SMTP_URL'],
    ['mail_from', 'MAIL_FROM'],
    ['MAIL_FORM', 'MAIL_FROM'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['MAX_REQUEST_PER_MINUTE', 'MAX_REQUESTS_PER_MINUTE'],
    ['MAIL_HOTS', 'MAIL_FROM'],
    ['SMTP_HOST', 'SMTP_URL'],
    ['DATABASE_PASSWORD', 'DATABASE_URL'],
    ['OIDC_ISSUER_URL', 'OIDC_ISSUER'],
  ])('is reported if it resembles a setting: %s', (variable, meant) => {
    expect(misspelt({ [variable]: 'x' })).toEqual([[variable, meant]]);
    // If the right one is set, the other one belongs to another program.
    expect(misspelt({ [variable]: 'x', [meant]: 'y' })).toEqual([]);
  });

  test('is not reported if a shell, a container, Kubernetes, npm or a CI sets it', () => {
    const names = `
      PATH HOME HOSTNAME HOSTTYPE USER SHELL PWD OLDPWD LANG LC_ALL TERM TZ TMPDIR LOGNAME MAIL EDITOR PAGER SHLVL _
      HTTP_PROXY http_proxy HTTPS_PROXY NO_PROXY SSH_CLIENT SSH_CONNECTION XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR
      NODE_ENV NODE_OPTIONS NODE_VERSION YARN_VERSION NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE UV_THREADPOOL_SIZE DEBUG
      npm_execpath npm_config_cache npm_package_name npm_lifecycle_event INIT_CWD FORCE_COLOR NO_COLOR
      KUBERNETES_PORT KUBERNETES_PORT_443_TCP KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT POD_NAME POD_IP NODE_NAME
      MILLRACE_PORT MILLRACE_PORT_3000_TCP MILLRACE_PORT_3000_TCP_ADDR MILLRACE_SERVICE_HOST MILLRACE_SERVICE_PORT
      SMTP_SERVICE_HOST SMTP_PORT SMTP_PORT_25_TCP_ADDR DATABASE_SERVICE_PORT DATABASE_PORT_5432_TCP
      MILLRACE_URL MILLRACE_KEY POSTGRES_PORT POSTGRES_URL POSTGRES_PASSWORD PGDATA PGHOST PGPASSWORD CONSUL_PORT
      CI GITHUB_SHA GITHUB_REF GITHUB_ENV GITHUB_JOB GITHUB_TOKEN GITHUB_API_URL GITHUB_SERVER_URL GITHUB_ACTOR
      CI_JOB_URL CI_JOB_ID CI_API_V4_URL CI_PROJECT_URL GITLAB_CI GIT_URL BUILD_URL JOB_URL JOB_NAME JENKINS_URL
      AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY GOOGLE_APPLICATION_CREDENTIALS AZURE_CLIENT_ID AZURE_CLIENT_SECRET
      SITE_URL BASE_URL API_URL LOG_FORMAT LOGS_DIRECTORY STATE_DIRECTORY INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET PORTS`;
    expect(
      misspelt(
        Object.fromEntries(
          names
            .trim()
            .split(/\s+/)
            .map((name) => [name, 'x']),
        ),
      ),
    ).toEqual([]);
  });
});

test('a remote mail server requires a sender while the site has no address', () => {
  expect(faultsOf({ SMTP_URL: 'smtps://mail.example', JOB_PLACES: 'many' })).toEqual([
    'JOB_PLACES must be a whole number, 1 or more.',
    'MAIL_FROM must be set with SMTP_URL while PUBLIC_URL is unset: mails would come from no-reply@localhost.',
  ]);
  expect(faultsOf({ SMTP_URL: 'smtps://mail.example' })).toEqual([
    'MAIL_FROM must be set with SMTP_URL while PUBLIC_URL is unset: mails would come from no-reply@localhost.',
  ]);
});

test('each of the two Stripe keys requires the other', () => {
  expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_test_key' })).toEqual([
    'STRIPE_WEBHOOK_SECRET must be set together with STRIPE_SECRET_KEY.',
  ]);
  expect(faultsOf({ STRIPE_WEBHOOK_SECRET: 'whsec_test_secret' })).toEqual([
    'STRIPE_SECRET_KEY must be set together with STRIPE_WEBHOOK_SECRET.',
  ]);
});

test('a sender without an address and a data folder that is a file are reported', () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect(faultsOf({ MAIL_FROM: 'Millrace', DATA_DIR: file })).toEqual([
    `DATA_DIR must be a folder or the name of a new one; ${file} is not a folder.`,
    'MAIL_FROM must contain an e-mail address, such as Millrace <no-reply@example.com>.',
  ]);
  expect(faultsOf({ DATA_DIR: join(file, 'data') })).toEqual([
    `DATA_DIR must be a folder or the name of a new one; ${file} is not a folder.`,
  ]);
  expect(faultsOf({ DATA_DIR: join(folder, 'new/data') })).toEqual([]);
  const link = join(folder, 'link-to-nothing');
  symlinkSync(join(folder, 'removed'), link);
  expect(faultsOf({ DATA_DIR: link })).toEqual([
    `DATA_DIR must be a folder or the name of a new one; ${link} is not a folder.`,
  ]);
});
