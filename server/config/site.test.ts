import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { configFaults } from '../testing/config-faults.ts';
import { consoleSettings } from './console.ts';
import { settingsTable } from './read-settings.ts';
import { readSiteConfig, securitySettings, siteSettings } from './site.ts';

const faultsOf = (env: Record<string, string>) => configFaults(() => readSiteConfig(env));

describe('settings', () => {
  test('unset variables have their defaults', () => {
    expect(readSiteConfig({})).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      apiBaseUrl: 'http://127.0.0.1:8111',
      embeddedBackend: true,
      publicUrl: 'http://localhost:3000',
      cloudAppUrl: 'http://localhost:3000/console',
      trustedProxies: [],
      strictContent: false,
      siteBrand: 'millrace',
      deploySite: '',
      logLevel: 'info',
    });
  });

  test('addresses lose their trailing slash, and derived addresses follow', () => {
    const config = readSiteConfig({ PUBLIC_URL: 'https://site.example/', API_BASE_URL: 'http://api.example/base/' });
    expect(config.publicUrl).toBe('https://site.example');
    expect(config.cloudAppUrl).toBe('https://site.example/console');
    expect([config.apiBaseUrl, config.embeddedBackend]).toEqual(['http://api.example/base', false]);
    expect(readSiteConfig({ PORT: '8080' }).publicUrl).toBe('http://localhost:8080');
  });

  test('trusted proxies are a list', () => {
    const { trustedProxies } = readSiteConfig({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,::1, fd00::/8' });
    expect(trustedProxies).toEqual(['loopback', '10.0.0.0/8', '::1', 'fd00::/8']);
  });

  test('security contacts are a list of addresses with their scheme', () => {
    const { securityContact } = readSiteConfig({
      SECURITY_CONTACT: 'security@site.example, https://site.example/report,tel:+1-201-555-0123,mailto:a@site.example',
    });
    expect(securityContact).toEqual([
      'mailto:security@site.example',
      'https://site.example/report',
      'tel:+1-201-555-0123',
      'mailto:a@site.example',
    ]);
    expect(readSiteConfig({}).securityContact).toEqual([]);
  });

  test('an empty variable counts as unset', () => {
    expect(readSiteConfig({ PORT: '', API_BASE_URL: ' ', LOG_LEVEL: '' })).toMatchObject({
      port: 3000,
      embeddedBackend: true,
    });
  });

  test('all faults are reported together, each with its variable', () => {
    const faults = faultsOf({ PORT: 'http', PUBLIC_URL: 'site.example', LOG_LEVEL: 'loud', STRICT_CONTENT: 'maybe' });
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual(['PORT', 'PUBLIC_URL', 'STRICT_CONTENT', 'LOG_LEVEL']);
    for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+ must .+\.$/);
  });

  test.each([
    [{ PORT: '65536' }],
    [{ PORT: '-1' }],
    [{ API_BASE_URL: 'ftp://x' }],
    [{ API_BASE_URL: 'http://user:pw@x' }],
    [{ PUBLIC_URL: 'https://site.example/base' }],
    [{ SITE_BRAND: '../etc' }],
    [{ DEPLOY_SITE: 'China' }],
    [{ DEPLOY_SITE: 'chian' }],
    [{ HOST: 'a b' }],
    [{ TRUSTED_PROXIES: 'proxy.example' }],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }],
    [{ TRUSTED_PROXIES: '0.0.0.0/0' }],
    [{ TRUSTED_PROXIES: 'loopback,' }],
    [{ SECURITY_CONTACT: 'security' }],
    [{ SECURITY_CONTACT: 'a@site.example,' }],
    [{ SECURITY_CONTACT: 'http://site.example' }],
    [{ SECURITY_CONTACT: 'https://site.example/a\nContact:' }],
    [{ SECURITY_POLICY: 'http://site.example' }],
    [{ SECURITY_POLICY: 'https://site.example/a b' }],
    [{ SECURITY_ENCRYPTION: 'key.asc' }],
  ])('%o is refused', (env) => expect(faultsOf(env)).toHaveLength(1));

  test.each([
    ['README.md', 'settings', siteSettings],
    ['README.md', 'console settings', consoleSettings],
    ['SECURITY.md', 'settings', securitySettings],
  ])('%s contains the table of %s', (file, name, settings) => {
    if (!existsSync(file)) throw new Error(`${file} is missing.`);
    const table = readFileSync(file, 'utf8').split(`<!-- ${name} -->\n\n`)[1]?.split(`\n\n<!-- /${name} -->`)[0];
    expect(table, 'run `npm run settings` and put its output between the markers').toBe(settingsTable(settings));
  });
});
