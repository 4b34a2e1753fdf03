import { createServer } from 'node:http';
import request from 'supertest';
import { expect, test } from 'vitest';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';

// Every header of every kind of answer: whatever is missing, new or different shows up here.

/** Present, with a different value each time. */
const set = expect.any(String);
const sent = { connection: 'close', date: set, 'x-request-id': set, 'content-length': set };

const always = {
  ...sent,
  'referrer-policy': 'strict-origin-when-cross-origin',
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
};

const permissions =
  'accelerometer=(), autoplay=(), browsing-topics=(), camera=(), display-capture=(), encrypted-media=(), ' +
  'fullscreen=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), ' +
  'picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), usb=(), xr-spatial-tracking=()';

const policy =
  "default-src 'none';script-src 'self' 'sha256-abc';style-src 'self';img-src 'self' data:;font-src 'self';" +
  "connect-src 'self';manifest-src 'self';form-action 'self' https://cloud.example;base-uri 'none';" +
  "frame-ancestors 'none';require-trusted-types-for 'script';trusted-types 'none';upgrade-insecure-requests;" +
  'report-uri /csp-report;report-to csp';

/** Everything that comes through Express. */
const secured = {
  ...always,
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': permissions,
  'reporting-endpoints': 'csp="/csp-report"',
  'x-frame-options': 'DENY',
};

const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json; charset=utf-8' };
const brotli = { 'content-encoding': 'br', vary: 'Accept-Encoding' };
const validators = { etag: set, 'last-modified': set };
const forever = { 'cache-control': 'public, max-age=31536000, immutable' };
const anHour = { 'cache-control': 'public, max-age=3600' };
const revalidated = { 'cache-control': 'public, max-age=0, must-revalidate' };
const never = { 'cache-control': 'no-store' };

const file = {
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
};
/** A file that a browser shows as a document. */
const document = {
  ...file,
  'content-security-policy': "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
};

const variants = { vary: 'Accept-Encoding, X-Soft-Navigation' };
const page = { ...secured, ...html, ...brotli, ...variants, ...validators, ...revalidated };
const { 'content-length': _none, ...unchanged } = sent;

const services = stubServices(
  {
    PUBLIC_URL: 'https://site.example',
    CLOUD_APP_URL: 'https://cloud.example/app',
    // Nothing listens there.
    API_BASE_URL: 'http://127.0.0.1:9',
  },
  {
    scriptHashes: ['sha256-abc'],
    findGeneratedFile: (path) =>
      path === '/feed' ? { route: path, type: 'application/atom+xml', body: () => '<feed/>' } : undefined,
  },
);
/** Each test creates its own: the test that checks the outcome sees what it does at its start. */
const newClient = () => request(createServer(createApp(services).listener));

test.each<[name: string, method: 'get' | 'post', path: string, status: number, headers: object]>([
  ['a page', 'get', '/why', 200, page],
  ['a page that is not found', 'get', '/nowhere', 404, {
    ...secured, ...html, ...brotli, ...variants, 'cache-control': 'no-cache',
  }],
  ['a page that crashed', 'get', '/crash', 500, { ...secured, ...html, ...never }],
  ['a redirect of the site', 'get', '/docs', 302, { ...secured, 'cache-control': 'no-cache', location: '/docs/intro' }],
  ['a redirect to the canonical path', 'get', '/why/', 301, { ...secured, ...anHour, location: '/why' }],
  ['a built file', 'get', '/assets/entry.A1b2C3.js', 200, {
    ...file, ...forever, ...brotli, ...validators, 'content-type': 'text/javascript; charset=utf-8',
  }],
  ['a large file', 'get', '/large.csv', 200, {
    ...file, ...anHour, 'last-modified': set, 'accept-ranges': 'bytes', 'content-type': 'text/csv; charset=utf-8',
  }],
  ['an SVG', 'get', '/favicon.svg', 200, {
    ...document, ...anHour, ...validators, 'cross-origin-resource-policy': 'cross-origin', 'content-type': 'image/svg+xml',
  }],
  ['a feed', 'get', '/feed', 200, {
    ...document, ...validators, 'cache-control': 'public, max-age=300', 'content-type': 'application/atom+xml',
  }],
  ['a health check', 'get', '/healthz', 200, { ...secured, ...json, ...never }],
  ['a call without its backend', 'post', '/logout', 502, { ...secured, ...json, ...never }],
  ['a method that is not allowed', 'post', '/why', 405, { ...secured, ...html, ...never, allow: 'GET, HEAD' }],
  ['a request that is refused early', 'get', '/%zz', 400, {
    ...always, ...html, ...never, 'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  }],
])('%s has exactly these headers', async (_name, method, path, status, headers) => {
  const client = newClient();
  for (const _turn of ['made now', 'perhaps stored']) {
    const answer = await client[method](path).set('Accept-Encoding', 'br');
    expect([answer.status, answer.headers]).toEqual([status, headers]);
  }
}); // biome-ignore format: one row an answer

test('an unchanged page has the headers that update a cached copy', async () => {
  const { status, headers } = await newClient().get('/why').set('Accept-Encoding', 'br').set('If-None-Match', '*');
  const kept = { ...unchanged, ...validators, ...revalidated, ...variants, 'content-security-policy': policy };
  expect([status, headers]).toEqual([304, kept]);
});

test('plain http has neither HSTS nor upgrade-insecure-requests', async () => {
  const plain = request(createServer(createApp(stubServices()).listener));
  for (const path of ['/why', '/favicon.svg', '/%zz', '/healthz']) {
    const { headers } = await plain.get(path);
    expect(headers).not.toHaveProperty('strict-transport-security');
    expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
  }
});

test('in development the policy allows what Vite needs, and no more', async () => {
  const development = stubServices({}, { devMiddleware: (_req, _res, next) => next() });
  const { headers } = await request(createServer(createApp(development).listener)).get('/healthz');
  expect(headers['content-security-policy']).toBe(
    "default-src 'self';script-src 'self' 'unsafe-inline';style-src 'self' 'unsafe-inline';img-src 'self' data:;" +
      "connect-src 'self' ws: wss:;worker-src 'self' blob:;base-uri 'none';frame-ancestors 'none'",
  );
});
