import { createServer } from 'node:http';
import request from 'supertest';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';

function site(env: Record<string, string> = {}) {
  const services = stubServices(env);
  const client = request(createServer(createApp(services).listener));
  const post = (type: string, body: unknown) =>
    client
      .post('/csp-report')
      .set('Content-Type', type)
      .send(typeof body === 'string' ? body : JSON.stringify(body));
  const told = () =>
    services.logged.flatMap(({ msg, directive, origin }) =>
      msg === 'the policy blocked something on a page' ? [`${directive} ${origin}`] : [],
    );
  return { services, client, post, told };
}

const older = 'application/csp-report';
const newer = 'application/reports+json';

const violation = (effectiveDirective: string, blockedURL: string | null) => ({
  type: 'csp-violation',
  age: 10,
  url: 'https://site.example/login?code=hidden',
  user_agent: 'A browser',
  body: {
    documentURL: 'https://site.example/login?code=hidden',
    effectiveDirective,
    blockedURL,
    disposition: 'enforce',
  },
});

describe('policy reports', () => {
  test('of both formats are logged as directive and origin only', async () => {
    const { services, post, told } = site();
    const first = await post(older, {
      'csp-report': {
        'document-uri': 'https://site.example/login?code=hidden',
        'violated-directive': "script-src 'self' 'sha256-abc'",
        'blocked-uri': 'https://user:hidden@evil.example:8443/x.js?hidden',
      },
    });
    expect([first.status, first.text, first.headers['cache-control']]).toEqual([204, '', 'no-store']);
    const second = await post(`${newer}; charset=utf-8`, [
      violation('style-src-elem', 'inline'),
      { type: 'deprecation', body: { id: 'hidden' } },
      violation('img-src', 'https://evil.example/hidden.png'),
    ]);
    expect(second.status).toBe(204);
    expect(told()).toEqual([
      'script-src https://evil.example:8443',
      'style-src-elem inline',
      'img-src https://evil.example',
    ]);
    const line = services.logged.find(({ directive }) => directive === 'img-src');
    expect(line).toMatchObject({ level: 40, id: second.headers['x-request-id'] });
    expect(services.logged.filter(({ msg }) => msg === 'request')).toHaveLength(2);
    expect(JSON.stringify(services.logged)).not.toContain('hidden');
  });

  test.each([
    ['data:text/javascript,hidden', 'data:'],
    ['data', 'data'],
    ['blob:https://site.example/1-2', 'blob:'],
    ['chrome-extension://abc/x.js', 'chrome-extension://abc'],
    ['trusted-types-sink', 'trusted-types-sink'],
    ['', 'unknown'],
    [null, 'unknown'],
    ['What is this?', 'unknown'],
    ['Inline', 'unknown'],
    ['inline?', 'unknown'],
    ['a'.repeat(41), 'unknown'],
    [`https://${'a'.repeat(300)}/`, `https://${'a'.repeat(252)}`],
  ])('the blocked URL %s is logged as %s', async (blocked, origin) => {
    const { post, told } = site();
    await post(newer, [violation('script-src', blocked)]);
    expect(told()).toEqual([`script-src ${origin}`]);
  });

  test('use the newer directive field, and need no blocked URL', async () => {
    const { post, told } = site();
    await post(older, { 'csp-report': { 'effective-directive': 'img-src', 'violated-directive': 'default-src' } });
    expect(told()).toEqual(['img-src unknown']);
  });

  test('are logged once a day per kind', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { post, told } = site();
    const evil = violation('script-src', 'https://evil.example/a.js');
    await post(newer, [evil, violation('script-src', 'https://evil.example/b.js')]);
    await post(newer, [evil]);
    expect(told()).toHaveLength(1);
    await post(newer, [
      violation('script-src', 'https://other.example/'),
      violation('img-src', 'https://evil.example/'),
    ]);
    expect(told()).toHaveLength(3);
    vi.advanceTimersByTime(23 * 60 * 60 * 1000);
    await post(newer, [evil]);
    expect(told()).toHaveLength(3);
    vi.advanceTimersByTime(60 * 60 * 1000);
    await post(newer, [evil, evil]);
    expect(told()).toHaveLength(4);
  });

  test('are logged up to 200 kinds a day, and one line reports the limit', async () => {
    const { services, post, told } = site();
    for (let round = 0; round < 15; round += 1) {
      const kinds = Array.from({ length: 20 }, (_, index) =>
        violation('img-src', `https://${round}.${index}.example/`),
      );
      expect((await post(newer, kinds)).status).toBe(204);
    }
    expect(told()).toHaveLength(200);
    expect(services.logged.filter(({ msg }) => /further kinds/.test(String(msg)))).toMatchObject([{ kinds: 200 }]);
  });

  test.each([
    ['invalid JSON', older, '{', 400, 'BAD_JSON'],
    ['an empty list', newer, [], 204, undefined],
    ['another object', older, { report: {} }, 400, 'NOT_A_REPORT'],
    ['no directive', older, { 'csp-report': { 'blocked-uri': 'inline' } }, 400, 'NOT_A_REPORT'],
    ['an invalid directive', newer, [violation('Script Src\n', 'inline')], 400, 'NOT_A_REPORT'],
    ['a directive with a prefix', newer, [violation('1img-src', 'inline')], 400, 'NOT_A_REPORT'],
    ['a directive with a suffix', newer, [violation('img-src;', 'inline')], 400, 'NOT_A_REPORT'],
    ['a long directive', newer, [violation('a'.repeat(41), 'inline')], 400, 'NOT_A_REPORT'],
    ['a violation without a body', newer, [{ type: 'csp-violation' }], 400, 'NOT_A_REPORT'],
    ['text', 'text/plain', '[]', 415, 'REPORT_TYPE'],
    ['a report type in a parameter of another type', `text/plain; was=${newer}`, '[]', 415, 'REPORT_TYPE'],
    ['a type that begins like a report type', `${newer}-draft`, '[]', 415, 'REPORT_TYPE'],
    ['a type with spaces', `${newer} ; charset=utf-8`, '[]', 204, undefined],
    ['plain JSON', 'application/json', '[]', 415, 'REPORT_TYPE'],
    ['8 kB', newer, `[]${' '.repeat(8190)}`, 204, undefined],
    ['more than 8 kB', newer, `[]${' '.repeat(8191)}`, 413, 'BODY_TOO_LARGE'],
    ['endless brackets', newer, '['.repeat(8192), 400, 'BAD_JSON'],
  ])('%s', async (_name, type, body, status, code) => {
    const { post, told } = site();
    const answer = await post(type, body);
    expect(answer.status).toBe(status);
    if (code) {
      const msg = expect.stringMatching(/body|report/);
      expect(answer.body).toEqual({ success: false, code, msg, requestId: answer.headers['x-request-id'] });
    }
    expect(told()).toEqual([]);
  });

  test('without a body or with a compressed one are refused', async () => {
    const { client, post } = site();
    expect((await client.post('/csp-report').set('Content-Type', older)).status).toBe(400);
    expect((await post(older, '{}').set('Content-Encoding', 'gzip')).status).toBe(415);
  });

  test('above 20 a minute from one address are refused', async () => {
    // The minute lasts as long as a starved machine needs.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { client } = site({ TRUSTED_PROXIES: 'loopback' });
    const send = (address: string) =>
      client.post('/csp-report').set('Content-Type', newer).set('X-Forwarded-For', address).send('[]');
    for (let count = 0; count < 20; count += 1) expect((await send('9.9.9.9')).status).toBe(204);
    const refused = await send('9.9.9.9');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await send('9.9.9.8')).status).toBe(204);
    // One customer has a whole IPv6 network.
    for (let count = 0; count < 20; count += 1) expect((await send(`2001:db8:0:1::${count}`)).status).toBe(204);
    expect([(await send('2001:db8:0:1::ffff')).status, (await send('2001:db8:0:2::1')).status]).toEqual([429, 204]);
    // This machine itself may be a proxy that no one has configured.
    for (let count = 0; count < 21; count += 1) expect((await send('unknown')).status).toBe(204);
  });

  test('with another method get 405 and the allowed method', async () => {
    const { status, headers } = await site().client.get('/csp-report');
    expect([status, headers.allow]).toEqual([405, 'POST']);
  });
});
