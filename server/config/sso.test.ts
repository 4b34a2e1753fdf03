import { describe, expect, test } from 'vitest';
import { configFaults } from '../testing/config-faults.ts';
import { readConsoleConfig } from './console.ts';

const faultsOf = (env: Record<string, string>) => configFaults(() => readConsoleConfig(env));

describe('settings of external sign-in and sign-up', () => {
  test('are optional, but those that belong together must be set together', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ GOOGLE_CLIENT_ID: 'a', OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'b' })).toEqual([
      'GOOGLE_CLIENT_SECRET must be set together with GOOGLE_CLIENT_ID.',
      'OIDC_CLIENT_SECRET must be set together with OIDC_ISSUER and OIDC_CLIENT_ID.',
    ]);
    expect(faultsOf({ AWS_MARKETPLACE_PRODUCT: 'p' })).toHaveLength(2);
    expect(faultsOf({ GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' })).toEqual([]);
  });

  test.each([
    ['https://id.example/tenant/', 0],
    ['http://localhost:8080', 0],
    ['http://127.0.0.1:8080', 0],
    ['http://[::1]:8080', 0],
    ['http://id.example', 1],
    ['http://localhost.example', 1],
    ['ftp://localhost', 1],
    ['id.example', 1],
  ])('the issuer %s has %i faults: only local issuers may use http', (issuer, count) => {
    const faults = faultsOf({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' });
    expect(faults).toHaveLength(count);
    for (const fault of faults) expect(fault).toMatch(/^OIDC_ISSUER must be an https address/);
  });

  test('an issuer stays as written, and the GitHub address loses its trailing slash', () => {
    const config = readConsoleConfig({
      OIDC_ISSUER: 'https://id.example/',
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
      GITHUB_URL: 'https://git.example/',
    });
    expect([config.oidcIssuer, config.githubUrl]).toEqual(['https://id.example/', 'https://git.example']);
  });
});
