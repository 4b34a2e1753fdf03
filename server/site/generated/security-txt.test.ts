import { createServer } from 'node:http';
import request from 'supertest';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readSiteConfig } from '../../config/site.ts';
import { stubServices } from '../../testing/stub-services.ts';
import { createApp } from '../app.ts';
import { findSecurityTxt } from './security-txt.ts';

const address = '/.well-known/security.txt';

function site(env: Record<string, string>) {
  const config = readSiteConfig(env);
  const services = stubServices(env, { findGeneratedFile: (path) => findSecurityTxt(path, config) });
  return request(createServer(createApp(services).listener));
}

test('security.txt has every configured field and expires in half a year', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 1, 15, 30) });
  onTestFinished(() => void vi.useRealTimers());
  const client = site({
    PUBLIC_URL: 'https://www.site.example',
    SECURITY_CONTACT: 'security@site.example, https://site.example/report',
    SECURITY_POLICY: 'https://site.example/policy',
    SECURITY_ENCRYPTION: 'openpgp4fpr:5f2de5521c63a801ab59ccb603d49de44b29100f',
  });
  const { status, text, headers } = await client.get(address);
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect(text.split('\n')).toEqual([
    'Contact: mailto:security@site.example',
    'Contact: https://site.example/report',
    'Expires: 2026-08-28T00:00:00.000Z',
    'Encryption: openpgp4fpr:5f2de5521c63a801ab59ccb603d49de44b29100f',
    'Policy: https://site.example/policy',
    'Preferred-Languages: en',
    'Canonical: https://www.site.example/.well-known/security.txt',
    '',
  ]);
  // The server may run for longer than that.
  vi.setSystemTime(Date.UTC(2027, 2, 1));
  expect((await client.get('/security.txt')).status).toBe(404);
  expect((await client.get(address)).text).toContain('Expires: 2027-08-28T00:00:00.000Z\n');
});

test('security.txt has only contact, expiry and language if nothing else is set', async () => {
  const { text } = await site({ SECURITY_CONTACT: 'security@site.example' }).get(address);
  expect(text).toMatch(/^Contact: mailto:security@site\.example\nExpires: [^\n]+\nPreferred-Languages: en\n$/);
});

test('security.txt does not exist without a contact', async () => {
  expect((await site({ SECURITY_POLICY: 'https://site.example/policy' }).get(address)).status).toBe(404);
});
