import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { duplexPair } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import request from 'supertest';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { sendInProcess } from '../testing/raw.ts';
import { compressedStyle, stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';
import type { Found, SiteServices } from './services.ts';

function siteOf(env: Record<string, string> = {}, changes: Partial<SiteServices> = {}) {
  const services = stubServices(env, changes);
  return { services, client: request(createServer(createApp(services).listener)) };
}

describe('pages', () => {
  test('the first response and cached ones have the same headers', async () => {
    const { client, services } = siteOf();
    const cold = await client.get('/why');
    const warm = await client.get('/why');
    const without = ({ headers }: typeof cold) => ({ ...headers, 'x-request-id': '', date: '' });
    expect(cold.status).toBe(200);
    expect(warm.text).toBe(cold.text);
    expect(warm.headers['x-request-id']).not.toBe(cold.headers['x-request-id']);
    expect({ ...without(warm), etag: '', 'content-length': '' }).toEqual({
      ...without(cold),
      etag: '',
      'content-length': '',
    });
    expect(services.renders).toEqual(['/why']);
    expect(warm.headers).toMatchObject({
      'cache-control': 'public, max-age=0, must-revalidate',
      'content-type': 'text/html; charset=utf-8',
      vary: 'Accept-Encoding, X-Soft-Navigation',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    });
    expect(warm.headers['x-powered-by']).toBeUndefined();
    // On plain http, browsers can only complain about them.
    expect(warm.headers['cross-origin-opener-policy']).toBeUndefined();
    expect(warm.headers['origin-agent-cluster']).toBeUndefined();
    expect(warm.headers['strict-transport-security']).toBeUndefined();
  });

  test('the content security policy is strict and depends on https and the cloud app', async () => {
    const plain = (await siteOf().client.get('/')).headers['content-security-policy'] ?? '';
    expect(plain).toContain("default-src 'none';script-src 'self';style-src 'self'");
    expect(plain).toContain("require-trusted-types-for 'script';trusted-types 'none'");
    // The console is at the site's own address.
    expect(plain).toContain("form-action 'self';");
    expect(plain).not.toMatch(/unsafe|upgrade-insecure/);
    const env = { PUBLIC_URL: 'https://site.example', CLOUD_APP_URL: 'https://cloud.example/app' };
    const { headers } = await siteOf(env, { scriptHashes: ['sha256-abc'] }).client.get('/');
    expect(headers['content-security-policy']).toContain("form-action 'self' https://cloud.example;");
    expect(headers['content-security-policy']).toContain("script-src 'self' 'sha256-abc';");
    expect(headers['content-security-policy']).toContain('upgrade-insecure-requests');
    expect(headers['strict-transport-security']).toBe('max-age=63072000');
    expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin', 'origin-agent-cluster': '?1' });
    const file = await siteOf(env).client.get('/favicon.svg');
    expect(file.headers['strict-transport-security']).toBe('max-age=63072000');
  });

  test('HEAD answers like GET, without a body', async () => {
    const { client } = siteOf();
    for (const path of ['/why', '/why', '/nowhere', '/healthz', '/favicon.svg']) {
      const get = await client.get(path).set('Accept-Encoding', 'identity');
      const head = await client.head(path).set('Accept-Encoding', 'identity');
      const same = (headers: Record<string, string>) => ({
        ...headers,
        'x-request-id': '',
        date: '',
        'last-modified': '',
      });
      expect(head.status).toBe(get.status);
      expect(same(head.headers)).toEqual(same(get.headers));
      expect(head.text ?? '').toBe('');
    }
  });

  test('concurrent requests for a page render it once', async () => {
    const rendering = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    let renders = 0;
    const { client } = siteOf(
      {},
      {
        render: async () => {
          renders += 1;
          rendering.resolve();
          await held.promise;
          return { status: 200, html: `<p>${renders}</p>` };
        },
      },
    );
    const answers = Array.from({ length: 30 }, () => client.get('/why').then(({ text }) => text));
    await rendering.promise;
    // Visitors who arrive while it is rendered wait for the same page.
    answers.push(client.get('/why?later').then(({ text }) => text));
    held.resolve();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['<p>1</p>']));
    expect(renders).toBe(1);
  });

  test('undeclared query parameters share a cached page, declared ones do not', async () => {
    const { client, services } = siteOf();
    await client.get('/connector?utm_source=a');
    await client.get('/connector?x=1');
    await client.get('/connector?kind=queue');
    expect(services.renders).toHaveLength(2);
  });

  test('a refused address gets a small page with the reason, a home link and the request ID', async () => {
    const { status, text, headers } = await siteOf().client.get('/%zz');
    expect(status).toBe(400);
    expect(text).toMatch(/<h1>400<\/h1>\n<p>The request is not well formed\.<\/p>\n<p><a href="\/">Home<\/a>/);
    expect(text).toContain(`Request ${headers['x-request-id']}`);
  });

  test('a crash answers 500, is logged and is not cached', async () => {
    const { client, services } = siteOf();
    const { status, text, headers } = await client.get('/crash');
    expect(status).toBe(500);
    expect(text).toContain('This page crashed.');
    expect(text).toContain(headers['x-request-id']);
    expect(headers['cache-control']).toBe('no-store');
    await client.get('/crash');
    expect(services.renders).toHaveLength(2);
    expect(services.logged.find(({ level }) => level === 50)).toMatchObject({
      id: headers['x-request-id'],
      err: { message: 'boom' },
    });
  });

  test('a crash of the crash page is still answered with 500', async () => {
    const { client } = siteOf({}, { renderCrash: () => Promise.reject(new Error('again')) });
    expect((await client.get('/crash')).status).toBe(500);
  });

  test('an unknown address is not found and not cached', async () => {
    const { client, services } = siteOf();
    const { status, headers } = await client.get('/nowhere');
    expect([status, headers['cache-control'], headers.etag]).toEqual([404, 'no-cache', undefined]);
    await client.get('/nowhere');
    expect(services.renders).toHaveLength(2);
  });
});

describe('a content change', () => {
  test('while a page is looked up: the old page is served but not cached', async () => {
    let changed = () => {};
    let text = 'old';
    const looking = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    const page = (props: object): Found => ({
      kind: 'page',
      status: 200,
      folder: 'why',
      props: { ...props },
      meta: { title: '', description: '', indexed: true },
      route: '/why',
      path: '/why',
      cacheKey: '/why',
    });
    const { client } = siteOf(
      {},
      {
        onContentChange: (listener) => {
          changed = listener;
        },
        findPage: async () => {
          const old = page({ text });
          looking.resolve();
          await found.promise;
          return old;
        },
        render: async ({ status, props }) => ({ status, html: String(props.text) }),
      },
    );
    const first = client.get('/why').then((answer) => answer.text);
    await looking.promise;
    text = 'new';
    changed();
    found.resolve();
    expect(await first).toBe('old');
    expect((await client.get('/why')).text).toBe('new');
    expect((await client.get('/why')).text).toBe('new');
  });

  test('while a feed is prepared: the old feed is served but not cached', async () => {
    let changed = () => {};
    let text = 'old';
    const looking = Promise.withResolvers<void>();
    const ready = Promise.withResolvers<void>();
    const { client } = siteOf(
      {},
      {
        onContentChange: (listener) => {
          changed = listener;
        },
        findGeneratedFile: (path) => {
          const body = text;
          looking.resolve();
          return { route: path, type: 'text/plain', cacheKey: 'feed', body: () => body, ready: () => ready.promise };
        },
      },
    );
    const first = client.get('/feed').then((answer) => answer.text);
    await looking.promise;
    text = 'new';
    changed();
    ready.resolve();
    expect(await first).toBe('old');
    expect((await client.get('/feed')).text).toBe('new');
  });
});

describe('a page with inline style sheets', () => {
  const styled = (text: string) => ({
    html: `<head><style data-files="/a.css /b.css">${text}</style></head>`.padEnd(2000),
    styleHash: `sha256-${text}`,
  });

  function styledSite() {
    let text = 'one';
    const renders: string[] = [];
    const render: SiteServices['render'] = async ({ path, status }) => {
      renders.push(path);
      return { status, ...styled(text) };
    };
    const { client } = siteOf({}, { render });
    const soft = (path: string) => client.get(path).set('X-Soft-Navigation', '1');
    return { client, soft, renders, change: (next: string) => (text = next) };
  }

  test('allows them by hash in its own policy only, also with 304', async () => {
    const { client, change } = styledSite();
    const first = await client.get('/why');
    change('two');
    const other = await client.get('/docs/intro');
    const policyOf = ({ headers }: typeof first) =>
      /style-src [^;]*/.exec(headers['content-security-policy'] ?? '')?.[0];
    expect([policyOf(first), policyOf(other)]).toEqual([
      "style-src 'self' 'sha256-one'",
      "style-src 'self' 'sha256-two'",
    ]);
    const again = await client.get('/why').set('If-None-Match', first.headers.etag ?? '');
    expect([again.status, policyOf(again)]).toEqual([304, policyOf(first)]);
    expect(policyOf(await client.get('/healthz'))).toBe("style-src 'self'");
  });

  test.each(['/why', '/nowhere'])('links them as files for soft navigation: %s', async (path) => {
    const { client, soft } = styledSite();
    // What precedes and follows each of the two is known.
    for (let round = 0; round < 2; round += 1) {
      const answer = await soft(path);
      expect(answer.text.trim()).toBe(
        '<head><link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/b.css"></head>',
      );
      const whole = await client.get(path);
      expect(whole.text).toBe(styled('one').html);
      expect(whole.headers.vary).toBe('Accept-Encoding, X-Soft-Navigation');
      expect(answer.headers.vary).toBe(whole.headers.vary);
    }
  });

  test('has variants with their own tags that are rendered once', async () => {
    const { client, soft, renders } = styledSite();
    const [answer, whole] = [await soft('/why'), await client.get('/why')];
    expect(answer.headers.etag).not.toBe(whole.headers.etag);
    const tag = answer.headers.etag ?? '';
    expect((await soft('/why').set('If-None-Match', tag)).status).toBe(304);
    expect((await client.get('/why').set('If-None-Match', tag)).status).toBe(200);
    expect((await client.get('/why').set('X-Soft-Navigation', 'other')).text).toBe(whole.text);
    expect(renders).toEqual(['/why']);
  });
});

describe('conditional requests', () => {
  test.each([
    ['the tag', (tag: string) => tag],
    ['a weak tag', (tag: string) => `W/${tag}`],
    ['a list', (tag: string) => `"other", W/${tag} , "third"`],
    ['a star', () => '*'],
  ])('%s is answered with 304', async (_name, header) => {
    const { client } = siteOf();
    const { headers } = await client.get('/why').set('Accept-Encoding', 'gzip');
    const again = await client
      .get('/why')
      .set('Accept-Encoding', 'gzip')
      .set('If-None-Match', header(headers.etag ?? ''));
    expect(again.status).toBe(304);
    expect(again.headers).toMatchObject({
      etag: headers.etag,
      vary: 'Accept-Encoding, X-Soft-Navigation',
      'cache-control': headers['cache-control'],
    });
    expect(again.headers['x-request-id']).toBeDefined();
  });

  test('a tag of another coding or page is not answered with 304', async () => {
    const { client } = siteOf();
    const { headers } = await client.get('/why').set('Accept-Encoding', 'gzip');
    const identity = await client
      .get('/why')
      .set('Accept-Encoding', 'identity')
      .set('If-None-Match', headers.etag ?? '');
    expect(identity.status).toBe(200);
    expect(identity.headers.etag).not.toBe(headers.etag);
    expect((await client.get('/why').set('If-None-Match', '"nonsense')).status).toBe(200);
  });

  test('a page that is not found is never answered with 304', async () => {
    const { client } = siteOf();
    expect((await client.get('/nowhere').set('If-None-Match', '*')).status).toBe(404);
  });

  test('If-Modified-Since counts only without If-None-Match', async () => {
    const { client } = siteOf();
    const { headers } = await client.get('/why');
    const since = headers['last-modified'] ?? '';
    expect((await client.get('/why').set('If-Modified-Since', since)).status).toBe(304);
    expect((await client.get('/why').set('If-Modified-Since', since).set('If-None-Match', '"x"')).status).toBe(200);
    expect((await client.get('/why').set('If-Modified-Since', 'yesterday')).status).toBe(200);
  });
});

test('Last-Modified is the time of the content, not of rendering', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
  onTestFinished(() => void vi.useRealTimers());
  const services = stubServices(
    {},
    {
      findGeneratedFile: (path) =>
        path === '/feed' ? { route: path, type: 'text/plain', body: () => 'feed' } : undefined,
    },
  );
  const client = request(createServer(createApp(services).listener));
  const modified = async (path: string) => (await client.get(path)).headers['last-modified'];
  const first = await modified('/why');
  expect(first).toBe('Thu, 01 Jan 2026 00:00:00 GMT');
  vi.setSystemTime(Date.UTC(2026, 0, 2));
  expect([await modified('/docs/intro'), await modified('/feed')]).toEqual([first, first]);
});

describe('codings', () => {
  test('gzip contains the page', async () => {
    const { client } = siteOf();
    const { text } = await client.get('/why').set('Accept-Encoding', 'identity');
    const zipped = await client
      .get('/why')
      .set('Accept-Encoding', 'gzip')
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => done(null, Buffer.concat(chunks)));
      });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    // Some supertest versions have decompressed it by then.
    const body: Buffer = zipped.body;
    expect((body[0] === 0x1f ? gunzipSync(body) : body).toString()).toBe(text);
  });

  test('small bodies are not compressed', async () => {
    const { client } = siteOf();
    const { headers } = await client.get('/favicon.svg').set('Accept-Encoding', 'br, gzip');
    expect(headers['content-encoding']).toBeUndefined();
  });
});

describe('files', () => {
  test('built files may be cached forever', async () => {
    const { client } = siteOf();
    const { status, headers } = await client.get('/assets/entry.A1b2C3.js').set('Accept-Encoding', 'br');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'x-content-type-options': 'nosniff',
    });
  });

  test('a file compressed by the build is sent in that form, which has no address of its own', async () => {
    const { client } = siteOf();
    const path = '/assets/style.A1b2C3.css';
    const { headers, text } = await client.get(path).set('Accept-Encoding', 'br');
    // The stub's form differs from the file: this shows the server has not created it.
    expect(text).toBe(compressedStyle);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/css; charset=utf-8',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/-br"$/),
    });
    const again = await client
      .get(path)
      .set('Accept-Encoding', 'br')
      .set('If-None-Match', headers.etag ?? '');
    expect(again.status).toBe(304);
    expect((await client.get(path).set('Accept-Encoding', 'gzip')).text).not.toBe(compressedStyle);
    expect((await client.get(`${path}.br`)).status).toBe(404);
  });

  test.each([
    ['bytes=2-5', 206, 'bytes 2-5/1200000'],
    ['bytes=9999999-', 416, 'bytes */1200000'],
  ])('range %s of a large file answers %i', async (range, status, contentRange) => {
    const answer = await siteOf().client.get('/large.csv').set('Range', range);
    expect([answer.status, answer.headers['content-range']]).toEqual([status, contentRange]);
  });

  test.each([
    ['If-Match', '"x"'],
    ['If-Unmodified-Since', 'Sat, 01 Jan 2000 00:00:00 GMT'],
  ])('%s that does not match a large file answers 412', async (name, value) => {
    const { client, services } = siteOf();
    const { status, headers } = await client.get('/large.csv').set(name, value);
    expect([status, headers['cache-control']]).toEqual([412, 'no-store']);
    expect(services.logged.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });

  test.each(['/large.csv', '/favicon.svg'])('%s that was deleted after the start is not found', async (path) => {
    const { client, services } = siteOf();
    rmSync(join(services.clientDir, path));
    const { status, headers } = await client.get(path);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  });

  test('an SVG is sandboxed', async () => {
    const { headers } = await siteOf().client.get('/favicon.svg');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*sandbox$/);
    expect(headers['cache-control']).toBe('public, max-age=3600');
  });
});

describe('methods and addresses', () => {
  test.each([
    ['post', '/why', 'GET, HEAD'],
    ['put', '/login', 'GET, HEAD, POST'],
    ['delete', '/nowhere', 'GET, HEAD'],
    ['options', '/', 'GET, HEAD'],
    ['post', '/healthz', 'GET, HEAD'],
    ['get', '/logout', 'POST'],
    ['head', '/getPublicKey', 'POST'],
    ['put', '/auth', 'POST'],
  ] as const)('%s %s is not allowed', async (method, path, allow) => {
    const { client } = siteOf();
    // Stored responses are only for GET and HEAD.
    await client.get(path);
    const { status, headers } = await client[method](path);
    expect([status, headers.allow, headers['cache-control']]).toEqual([405, allow, 'no-store']);
  });

  test.each([
    ['/docs/intro/', '/docs/intro'],
    ['/docs/intro.html?a=1&b=%20', '/docs/intro?a=1&b=%20'],
    ['/index', '/'],
    ['/index.html?x', '/?x'],
    ['/docs/intro/index.html/', '/docs/intro'],
    ['/caf%C3%A9/', '/caf%C3%A9'],
  ])('%s redirects to %s', async (path, to) => {
    const { status, headers } = await siteOf().client.get(path);
    expect([status, headers.location]).toEqual([301, to]);
  });

  test('another spelling of a redirected address redirects to the target at once', async () => {
    const { status, headers } = await siteOf().client.get('/docs/index.html?a=1').redirects(0);
    expect([status, headers.location]).toEqual([302, '/docs/intro?a=1']);
  });

  test('a redirect keeps the query', async () => {
    const { status, headers } = await siteOf().client.get('/docs?from=mail');
    expect([status, headers.location]).toEqual([302, '/docs/intro?from=mail']);
  });

  test.each(['/docs/...html', '/..html', '/docs/..html/', '/docs/...html/index.html'])(
    '%s does not redirect to a parent folder',
    async (path) => {
      const { status, headers } = await siteOf().client.get(path);
      expect([status, headers.location]).toEqual([404, undefined]);
    },
  );

  test.each(['//evil.example/', '//evil.example/index.html', '///evil.html'])(
    '%s does not redirect to another host',
    async (path) => {
      const { status, headers } = await siteOf().client.get(path);
      expect([status, headers.location]).toEqual([404, undefined]);
    },
  );
});

describe('health and log', () => {
  test('kept connections are closed when the process stops', async () => {
    const { services } = siteOf({}, { draining: () => true });
    const server = createServer(createApp(services).listener);
    for (const path of ['/why', '/why', '/%zz']) {
      expect(await sendInProcess(server, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(
        /\r\nConnection: close\r\n/,
      );
    }
  });

  test('the site is ready until it begins to stop', async () => {
    expect((await siteOf().client.get('/readyz')).body).toMatchObject({ status: 'ready', content: 'tiny' });
    const { client } = siteOf({}, { draining: () => true });
    const ready = await client.get('/readyz');
    expect([ready.status, ready.headers.connection]).toEqual([503, 'close']);
    expect((await client.get('/healthz')).status).toBe(200);
  });

  test('every request is one log line without its address or query', async () => {
    const { client, services } = siteOf();
    const started = performance.now();
    for (const path of ['/why?token=geheim', '/why?token=geheim', '/nowhere/geheim', '/%zz', '/assets/entry.A1b2C3.js'])
      await client.get(path);
    await client.get('/geheim/?token=geheim').redirects(0);
    await client.post('/geheim?token=geheim');
    const lines = services.logged.filter(({ msg }) => msg === 'request');
    expect(lines.map(({ route, status }) => [route, status])).toEqual([
      ['/why', 200],
      ['/why', 200],
      ['(not found)', 404],
      ['refused', 400],
      ['/assets/*', 200],
      ['plain-address', 301],
      ['method not allowed', 405],
    ]);
    expect(new Set(lines.map(({ id }) => id)).size).toBe(7);
    expect(lines[0]).toMatchObject({ method: 'GET', ms: expect.any(Number), bytes: expect.any(Number) });
    // Milliseconds: run one after another, they took no longer than this test.
    const all = lines.reduce((sum, { ms }) => sum + Number(ms), 0);
    expect(all).toBeLessThanOrEqual(performance.now() - started + 1);
    expect(JSON.stringify(services.logged)).not.toContain('geheim');
  });

  test('a cached page that its client does not read is logged as 499', async () => {
    const html = 'long '.repeat(100_000);
    const services = stubServices({}, { render: async () => ({ status: 200, html }) });
    const server = createServer(createApp(services).listener);
    const get = 'GET /why HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    await sendInProcess(server, get);
    // The client end of this connection never reads.
    const [client, served] = duplexPair();
    server.emit('connection', served);
    const answering = once(server, 'request');
    client.write(get);
    const [, answer]: ServerResponse[] = await answering;
    if (!answer) throw new Error('The request has no response.');
    await once(answer, 'prefinish');
    served.destroy();
    await once(answer, 'close');
    const lines = services.logged.filter(({ msg }) => msg === 'request');
    expect(lines).toMatchObject([
      { route: '/why', status: 200, bytes: html.length },
      { route: '/why', status: 499, bytes: 0 },
    ]);
  });
});
