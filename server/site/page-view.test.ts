import { createServer } from 'node:http';
import request from 'supertest';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';
import { loggedUri, withoutQuery } from './page-view.ts';

function siteWithoutBackend() {
  const services = stubServices();
  return { services, client: request(createServer(createApp(services).listener)) };
}

describe('page views without a console backend', () => {
  test('are written to the log without secrets and without uid', async () => {
    const { services, client } = siteWithoutBackend();
    const view = {
      src: 'https://a.example/find?session=hidden#hidden',
      kw: 'cdc',
      vbId: '',
      clientId: 'ab12',
      uid: '',
      uri: '/login?code=hidden&utm_source=x&hidden&invite=hidden',
    };
    const { status, text, headers } = await client.post(calls.addViewLog).send(view);
    expect([status, text]).toEqual([204, '']);
    const line = services.logged.find(({ msg }) => msg === 'page view');
    expect(line).toMatchObject({
      id: headers['x-request-id'],
      src: 'https://a.example/find',
      kw: 'cdc',
      clientId: 'ab12',
      uri: '/login?utm_source=x',
    });
    expect(JSON.stringify(services.logged)).not.toContain('hidden');
    expect(line).not.toHaveProperty('uid');
  });

  test.each([
    ['an unknown field', { uri: '/', more: 1 }, 400],
    ['no address', { src: '' }, 400],
    ['an address elsewhere', { uri: 'https://evil.example/' }, 400],
    ['a client id that is no hash', { uri: '/', clientId: 'x y' }, 400],
    ['a number', { uri: '/', kw: 1 }, 400],
    ['a list', [], 400],
    ['too much', { uri: '/', src: 'x'.repeat(4096) }, 413],
    ['the least', { uri: '/' }, 204],
  ])('%s', async (_name, view, status) => {
    const { services, client } = siteWithoutBackend();
    const answer = await client.post(calls.addViewLog).send(view);
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toMatchObject({ code: 'INVALID_FIELDS', fields: expect.any(Object) });
    expect(services.logged.some(({ msg }) => msg === 'page view')).toBe(status === 204);
  });

  test('no body at all is refused', async () => {
    expect((await siteWithoutBackend().client.post(calls.addViewLog)).status).toBe(400);
  });

  test('more than 60 a minute from one address are refused, and counted in one line', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const services = stubServices({ TRUSTED_PROXIES: 'loopback' });
    const client = request(createServer(createApp(services).listener));
    const view = (address: string) => client.post(calls.addViewLog).set('X-Forwarded-For', address).send({ uri: '/' });
    for (let count = 0; count < 60; count += 1) expect((await view('9.9.9.9')).status).toBe(204);
    const refused = await view('9.9.9.9');
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await view('9.9.9.9');
    expect((await view('9.9.9.8')).status).toBe(204);
    vi.advanceTimersByTime(60_000);
    const lines = services.logged.filter(({ msg }) => msg === 'page views were dropped');
    expect(lines).toMatchObject([{ count: 2 }]);
  });

  test.each([
    ['/login?TOKEN=a&password=b&eyJhbGciOiJ', '/login'],
    ['/login?utm_source=a&Utm_Source=b&utm_sourcex=c&kw=d+e', '/login?utm_source=a&kw=d+e'],
    ['/why', '/why'],
    ['/why?', '/why'],
    ['/login#token=abc', '/login'],
    ['/login?kw=1#kw=2', '/login?kw=1'],
    ['/login?kw=a?token=b', '/login?kw=a%3Ftoken%3Db'],
  ])('%s is written as %s', (uri, written) => expect(loggedUri(uri)).toBe(written));

  test.each([
    ['https://search.example/find?q=secret#top', 'https://search.example/find'],
    ['https://user:secret@search.example:8443/a', 'https://search.example:8443/a'],
    ['android-app://com.example.reader/?secret', 'android-app://com.example.reader/'],
    ['/no/address?secret', ''],
    ['', ''],
  ])('the source %s is written as %s', (src, written) => expect(withoutQuery(src)).toBe(written));
});
