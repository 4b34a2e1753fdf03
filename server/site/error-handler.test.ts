import { createServer } from 'node:http';
import { duplexPair, PassThrough } from 'node:stream';
import { text as read } from 'node:stream/consumers';
import request from 'supertest';
import { expect, onTestFinished, test } from 'vitest';
import { calls } from '../../client/contract/calls.ts';
import { jobCalls, openApi } from '../../client/contract/jobs/calls.ts';
import { HttpError } from '../http/errors.ts';
import { openLog } from '../log.ts';
import { sendInProcess } from '../testing/raw.ts';
import { stubServices } from '../testing/stub-services.ts';
import { startUpstream } from '../testing/upstream.ts';
import { answerWithFault } from '../testing/upstream-faults.ts';
import { createApp } from './app.ts';
import type { SiteServices } from './services.ts';

function siteOf(changes: Partial<SiteServices> = {}) {
  const services = stubServices({}, changes);
  const server = createServer(createApp(services).listener);
  const errors = () => services.logged.filter(({ level }) => Number(level) > 30);
  return { server, client: request(server), errors };
}

const failing = (error: Error) => ({ findPage: () => Promise.reject(error) });

test.each([
  ['get', '/logout', 405, 'json'],
  ['put', '/auth', 405, 'json'],
  ['post', `${openApi}/no.such.call`, 404, 'json'],
  ['get', '/csp-report', 405, 'json'],
  ['post', '/why', 405, 'html'],
  ['put', '/why', 405, 'html'],
  ['get', `${openApi}/list`, 404, 'html'],
] as const)('%s %s is refused with %i as %s and not logged as a fault', async (method, path, status, form) => {
  const { client, errors } = siteOf();
  const answer = await client[method](path);
  expect([answer.status, answer.type]).toEqual([status, form === 'json' ? 'application/json' : 'text/html']);
  expect(errors()).toEqual([]);
});

test.each([
  ['/why', 'html'],
  // A call for POST, a page for GET.
  ['/login', 'html'],
  ['/search.json', 'json'],
])('a failure at %s is answered as %s and logged with its place and cause', async (path, form) => {
  const { client, errors } = siteOf(failing(new Error('boom')));
  const { status, type, text, headers } = await client.get(path);
  expect([status, type]).toEqual([500, form === 'json' ? 'application/json' : 'text/html']);
  expect(text.includes('This page crashed.')).toBe(form === 'html');
  expect(errors()).toMatchObject([
    {
      level: 50,
      id: headers['x-request-id'],
      route: expect.any(String),
      code: 'INTERNAL',
      err: { message: 'boom' },
      msg: 'The server made a mistake. Please try again.',
    },
  ]);
});

test('an error with its own message has a plain page, and is logged as its own cause', async () => {
  const { client, errors } = siteOf(failing(new HttpError('TIMED_OUT')));
  const { status, text } = await client.get('/why');
  expect(status).toBe(503);
  expect(text).toContain('The server took too long. Please try again in a moment.');
  expect(errors()).toMatchObject([{ code: 'TIMED_OUT', err: { message: expect.stringContaining('too long') } }]);
});

test('an unreadable backend response is logged with the reason and none of its content', async () => {
  const canary = 'session=canary';
  const upstream = await startUpstream((call, res, held) => {
    res.socket?.write(`HTTP/1.1 200 OK\r\nSet-Cookie: ${canary}\r\n`);
    answerWithFault({ ...call, body: '{"fault":"garbage"}' }, res, held);
  });
  onTestFinished(upstream.close);
  const out = new PassThrough();
  const { log, close } = openLog('info', false, out);
  const site = request(createServer(createApp(stubServices({ API_BASE_URL: upstream.url }, { log })).listener));
  for (const path of [calls.login, jobCalls.listJobs]) expect((await site.post(path).send({})).status).toBe(502);
  expect((await site.get('/downloads/a')).status).toBe(502);
  await close();
  out.end();
  const written = await read(out);
  expect(written.match(/"code":"HPE_\w+"/g)).toHaveLength(3);
  expect(written).not.toMatch(/rawPacket|canary|SSH-2/);
  expect(written).not.toContain(Buffer.from(canary).join(','));
});

test('overload is not logged as a fault', async () => {
  const { client, errors } = siteOf(failing(new HttpError('OVERLOADED')));
  expect((await client.get('/why')).status).toBe(503);
  expect(errors()).toEqual([]);
});

test('a crash of the crash page is logged, and answered by a plain page with the request ID', async () => {
  const { client, errors } = siteOf({ renderCrash: () => Promise.reject(new Error('again')) });
  const { status, type, text, headers } = await client.get('/crash');
  expect([status, type]).toEqual([500, 'text/html']);
  expect(text).toContain('The server made a mistake. Please try again.');
  expect(text).toContain(headers['x-request-id']);
  expect(errors()).toMatchObject([{ err: { message: 'boom' } }, { err: { message: 'again' } }]);
});

test('a response that fails halfway is cut off, so that it does not look complete', async () => {
  let drawn = 0;
  const { server, errors } = siteOf({
    devMiddleware: (_req, res, next) => {
      res.writeHead(200, { 'Content-Type': 'text/plain' });
      res.write('half', () => next(new Error('boom')));
    },
    renderCrash: async () => {
      drawn += 1;
      return { status: 500, html: 'crashed' };
    },
  });
  const answer = await sendInProcess(server, 'GET /why HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(answer).toMatch(/\r\nhalf\r\n$/);
  expect(errors()).toMatchObject([{ err: { message: 'boom' } }]);
  // There is no place for it any more.
  expect(drawn).toBe(0);
});

test('no crash page is rendered for a client that has left', async () => {
  const rendering = Promise.withResolvers<void>();
  const gone = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  let drawn = 0;
  const { server, client, errors } = siteOf({
    render: async ({ path }) => {
      if (path === '/why') {
        rendering.resolve();
        await gone.promise;
        setImmediate(failed.resolve);
      }
      throw new Error(path);
    },
    renderCrash: async () => {
      drawn += 1;
      return { status: 500, html: 'crashed' };
    },
  });
  const [visitor, served] = duplexPair();
  server.emit('connection', served);
  visitor.write('GET /why HTTP/1.1\r\nHost: a\r\n\r\n');
  await rendering.promise;
  served.once('close', gone.resolve).destroy();
  await failed.promise;
  expect((await client.get('/docs/intro')).text).toBe('crashed');
  expect(drawn).toBe(1);
  expect(errors().map(({ err }) => err)).toMatchObject([{ message: '/why' }, { message: '/docs/intro' }]);
});
