import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import pino from 'pino';
import { describe, expect, type TestContext, test } from 'vitest';
import { patientConnections } from '../testing/patience.ts';
import { sendRaw, statusOf } from '../testing/raw.ts';
import { drain } from './drain.ts';
import { createPublicServer, publicLimits, type ServerLimits } from './server.ts';

const limits = { acceptMs: 5_000, totalMs: 600_000 };

interface Listening {
  server: Server;
  port: number;
  logged: Record<string, unknown>[];
}

/**
 * No connection is closed because of its age, so whatever closes one is what is being tested. The context is the test's
 * own, since tests run in parallel.
 */
async function listen(
  { onTestFinished }: TestContext,
  listener: RequestListener,
  changes: Partial<ServerLimits> = patientConnections,
  https = false,
): Promise<Listening> {
  const logged: Listening['logged'] = [];
  const log = pino({ base: null }, { write: (text: string) => logged.push(JSON.parse(text)) });
  const server = createPublicServer(listener, { log, https, limits: { ...publicLimits, ...changes } });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port, logged };
}

/** Resolves with the received data once the server has closed the connection, and how it did. */
function untilClosed(socket: Socket): Promise<{ answer: string; reset: boolean }> {
  return new Promise((resolve) => {
    let answer = '';
    let reset = false;
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', (error) => (reset ||= 'code' in error && error.code === 'ECONNRESET'));
    socket.on('close', () => resolve({ answer, reset }));
  });
}

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

describe.concurrent('slow clients', () => {
  test('are disconnected within 15 s by the default limits', () => {
    const { connectionsCheckingInterval: check, slowReaders, silence, ...times } = publicLimits;
    for (const limit of [times.headersTimeout, times.requestTimeout, times.keepAliveTimeout])
      expect(limit + check).toBeLessThanOrEqual(15_000);
    expect(silence).toBeLessThanOrEqual(15_000);
    // The first check after an answer begins only records how much has been read.
    expect(slowReaders.patienceMs + 2 * slowReaders.checkMs).toBeLessThanOrEqual(15_000);
  });

  test('are disconnected, all 400 of them, while others are served', async (context) => {
    const { port, logged } = await listen(context, (_req, res) => res.end('here'), {
      headersTimeout: 5_000,
      requestTimeout: 5_000,
      connectionsCheckingInterval: 50,
    });
    const beginnings = ['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: a\r\nX: ', 'POST / HTTP/1.1\r\nHost: a\r\nX: y\r\n'];
    const sockets = Array.from({ length: 400 }, (_, index) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(beginnings[index % beginnings.length] ?? '');
      return socket;
    });
    // A byte now and then prevents an idle connection, but not a slow one.
    const drip = setInterval(() => {
      for (const [index, socket] of sockets.entries()) if (index % 4 === 2 && socket.writable) socket.write('x');
    }, 50);
    const closed = Promise.all(sockets.map(untilClosed));
    expect(statusOf(await sendRaw(port, get('/', 'Connection: close\r\n')))).toBe(200);
    await closed;
    clearInterval(drip);
    expect(logged.filter(({ status }) => status === 408).length).toBeGreaterThan(0);
  });

  test('get 408 if their request body never ends', async (context) => {
    const changes = { headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 20 };
    const { port } = await listen(context, (req, res) => req.resume().once('end', () => res.end()), changes);
    expect(statusOf(await sendRaw(port, `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx`))).toBe(408);
  });

  test('are disconnected if nothing is sent in either direction', async (context) => {
    const { port } = await listen(context, () => undefined, { ...patientConnections, silence: 100 });
    expect(await sendRaw(port, get('/'))).toBe('');
  });

  test('connections above the maximum are closed', async (context) => {
    const { port } = await listen(context, (_req, res) => res.end('here'), {
      ...patientConnections,
      maxConnections: 1,
    });
    const first = connect(port, '127.0.0.1');
    const closed = untilClosed(first);
    first.write(get('/'));
    await once(first, 'data');
    expect(await sendRaw(port, get('/'))).toBe('');
    first.write(get('/', 'Connection: close\r\n'));
    expect((await closed).answer.match(/here/g)).toHaveLength(2);
  });

  test('are reset if they do not read the response, so that the kernel frees its buffers', async (context) => {
    const slowReaders = { checkMs: 20, patienceMs: 100, minBytes: 20_000 };
    const { server, port } = await listen(context, (_req, res) => res.end(Buffer.alloc(64 * 1024 * 1024)), {
      slowReaders,
    });
    const socket = connect(port, '127.0.0.1');
    const closed = untilClosed(socket);
    socket.write(get('/'));
    socket.pause();
    const [served]: Socket[] = await once(server, 'connection');
    if (!served?.destroyed) await once(served ?? socket, 'close');
    socket.resume();
    expect((await closed).reset).toBe(true);
  });
});

test('a request with an unknown expectation is answered like any other', async (context) => {
  const { port } = await listen(context, (_req, res) => res.end('here'));
  expect(await sendRaw(port, get('/', 'Expect: wonders\r\nConnection: close\r\n'))).toMatch(/^HTTP\/1.1 200 .*here$/s);
});

describe.concurrent('a malformed request', () => {
  test('is answered after the requests before it', async (context) => {
    const started: ServerResponse[] = [];
    const { port, server } = await listen(context, (_req, res) => started.push(res));
    const answer = sendRaw(port, `${get('/first')}${get('/second')}garbage\r\n\r\n`);
    while (started.length < 2) await once(server, 'request');
    started[1]?.end('second');
    started[0]?.end('first');
    expect(await answer).toMatch(/^HTTP\/1.1 200 .*\r\nfirstHTTP\/1.1 200 .*\r\nsecondHTTP\/1.1 400 /s);
  });

  test('is answered after a request with an unknown expectation', async (context) => {
    const started: ServerResponse[] = [];
    const { port, server } = await listen(context, (_req, res) => started.push(res));
    const answer = sendRaw(port, `${get('/', 'Expect: wonders\r\n')}garbage\r\n\r\n`);
    await once(server, 'clientError');
    started[0]?.end('late');
    expect(await answer).toMatch(/^HTTP\/1.1 200 .*\r\nlateHTTP\/1.1 400 /s);
  });

  test('is answered if the request before it has already been answered', async (context) => {
    const { port } = await listen(context, (_req, res) => res.end('quick'));
    const socket = connect(port, '127.0.0.1');
    const closed = untilClosed(socket);
    socket.write(get('/'));
    await once(socket, 'data');
    socket.write('garbage\r\n\r\n');
    expect((await closed).answer).toMatch(/^HTTP\/1.1 200 .*quickHTTP\/1.1 400 /s);
  });

  test('gets an answer that cannot be stored or framed, and its connection is closed', async (context) => {
    const { port } = await listen(context, () => undefined);
    const [head, ...rest] = (await sendRaw(port, 'garbage\r\n\r\n')).split('\r\n');
    expect([head, ...rest.toSorted()].filter(Boolean)).toEqual([
      'HTTP/1.1 400 Bad Request',
      'Cache-Control: no-store',
      'Connection: close',
      'Content-Length: 0',
      "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      'Referrer-Policy: no-referrer',
      'X-Content-Type-Options: nosniff',
      expect.stringMatching(/^X-Request-Id: \S+$/),
    ]);
  });

  test('is logged once, however much of it arrives', async (context) => {
    const started: ServerResponse[] = [];
    const { port, server, logged } = await listen(context, (_req, res) => started.push(res));
    const socket = connect(port, '127.0.0.1');
    const closed = untilClosed(socket);
    socket.write(`${get('/')}garbage\r\n\r\n`);
    await once(server, 'clientError');
    socket.write('garbage\r\n\r\n');
    await once(server, 'clientError');
    started[0]?.end('late');
    expect((await closed).answer.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(logged).toHaveLength(1);
  });

  test('is not what a client sent that resets its connection', async (context) => {
    const { server, port, logged } = await listen(context, (_req, res) => res.write('here'));
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    socket.write(get('/'));
    await once(socket, 'data');
    const reset = once(server, 'clientError');
    socket.resetAndDestroy();
    const [error, lost] = await reset;
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(logged).toEqual([]);
    expect(lost).toMatchObject({ destroyed: true });
  });

  test('with broken chunks is answered with 400', async (context) => {
    const { port } = await listen(context, (req, res) => req.resume().once('end', () => res.end('read')));
    const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await sendRaw(port, `${chunked}5\r\nhello\r\nzz\r\n`)).toMatch(/^HTTP\/1.1 400 /);
  });

  const broken = 'POST /broken HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';

  test('with broken chunks is answered after the requests before it', async (context) => {
    const started: ServerResponse[] = [];
    const { port, server } = await listen(context, (_req, res) => started.push(res));
    const answer = sendRaw(port, `${get('/first')}${get('/second')}${broken}`);
    await once(server, 'clientError');
    started[1]?.end('second');
    started[0]?.end('first');
    expect(await answer).toMatch(/^HTTP\/1.1 200 .*\r\nfirstHTTP\/1.1 200 .*\r\nsecondHTTP\/1.1 400 .*\r\n\r\n$/s);
  });

  test('that was already refused gets one answer, in order', async (context) => {
    const started: ServerResponse[] = [];
    const { port, server } = await listen(context, (req, res) => {
      if (req.url === '/broken') res.writeHead(404).end('nowhere');
      else started.push(res);
    });
    const answer = sendRaw(port, `${get('/slow')}${broken}`);
    await once(server, 'clientError');
    started[0]?.end('slow');
    expect((await answer).match(/HTTP\/1.1 \d+|slow|nowhere/g)).toEqual([
      'HTTP/1.1 200',
      'slow',
      'HTTP/1.1 404',
      'nowhere',
    ]);
  });

  test('that was already refused closes the connection, even if its client keeps it open', async (context) => {
    const { port, server } = await listen(context, (_req, res) => res.writeHead(404).end('nowhere'));
    const accepted = once(server, 'connection');
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).resume();
    context.onTestFinished(() => void socket.destroy());
    socket.write(broken);
    const [served]: Socket[] = await accepted;
    await expect.poll(() => served?.closed).toBe(true);
  });

  test('whose answer has begun loses the rest of it, without affecting those before it', async (context) => {
    const started: ServerResponse[] = [];
    const begin: RequestListener = (req, res) => {
      if (req.url === '/broken') res.write('begun');
      else started.push(res);
    };
    const { port, server } = await listen(context, begin);
    const answer = sendRaw(port, `${get('/slow')}${broken}`);
    await once(server, 'clientError');
    started[0]?.end('slow');
    expect(await answer).toMatch(/^HTTP\/1.1 200 .*\r\nslow(?!.*\r\n0\r\n)/s);
  });

  test('leaves no listener behind if its client leaves while it waits', async (context) => {
    const started: ServerResponse[] = [];
    const { port, server } = await listen(context, (_req, res) => started.push(res));
    const socket = connect(port, '127.0.0.1');
    const accepted = once(server, 'connection');
    socket.write(get('/slow') + broken);
    await once(server, 'clientError');
    const [served]: Socket[] = await accepted;
    expect(started[1]?.listenerCount('socket')).toBe(1);
    socket.resetAndDestroy();
    await expect.poll(() => served?.closed).toBe(true);
    expect(started[1]?.listenerCount('socket')).toBe(0);
  });

  test.for<[https: boolean, header: string | undefined]>([
    [true, 'max-age=63072000'],
    [false, undefined],
  ])('with https %s has the HSTS header %s', async ([https, expected], context) => {
    const { port } = await listen(context, () => undefined, patientConnections, https);
    const answer = await sendRaw(port, 'garbage\r\n\r\n');
    expect(/Strict-Transport-Security: (.*)\r/.exec(answer)?.[1]).toBe(expected);
  });
});

describe.concurrent('a CONNECT request', () => {
  const tunnel = 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n';

  test('is refused with the allowed methods, logged, and its connection is closed', async (context) => {
    const { port, logged } = await listen(context, () => undefined);
    const [head, ...rest] = (await sendRaw(port, `${tunnel}bytes for somebody else`)).split('\r\n');
    expect(head).toBe('HTTP/1.1 405 Method Not Allowed');
    expect(rest).toEqual(expect.arrayContaining(['Connection: close', 'Content-Length: 0', 'Allow: GET, HEAD, POST']));
    const id = rest.find((line) => line.startsWith('X-Request-Id: '))?.slice('X-Request-Id: '.length);
    expect(logged).toEqual([
      expect.objectContaining({ id, method: 'CONNECT', route: 'method not allowed', status: 405, msg: 'request' }),
    ]);
  });

  test('is answered after the requests before it, however large their answers are', async (context) => {
    const started: ServerResponse[] = [];
    const { port, server } = await listen(context, (_req, res) => started.push(res));
    const large = Buffer.alloc(32 * 1024 * 1024, 'x');
    const answer = sendRaw(port, get('/first') + get('/second') + tunnel);
    await once(server, 'connect');
    started[1]?.end('second');
    // The rest waits until the client has read the beginning.
    if (!started[0]?.write(large)) await once(started[0] ?? server, 'drain');
    started[0]?.end('first');
    expect((await answer).match(/HTTP\/1.1 \d+|first|second/g)).toEqual([
      'HTTP/1.1 200',
      'first',
      'HTTP/1.1 200',
      'second',
      'HTTP/1.1 405',
    ]);
  });

  test('does not keep earlier requests from ending when their client leaves or is silent', async (context) => {
    const started: ServerResponse[] = [];
    const { port, server } = await listen(context, (_req, res) => started.push(res), {
      ...patientConnections,
      silence: 2_000,
    });
    const ended = async () => {
      await Promise.all(started.splice(0).map((res) => res.destroyed || once(res, 'close')));
    };
    const leaving = connect(port, '127.0.0.1');
    leaving.write(get('/first') + get('/second') + tunnel);
    await once(server, 'connect');
    leaving.resetAndDestroy();
    await ended();
    const silent = sendRaw(port, get('/first') + get('/second') + tunnel);
    await once(server, 'connect');
    await ended();
    expect(await silent).toBe('');
  });

  test('is cut off like any other when the server stops', async (context) => {
    const { server, port } = await listen(context, () => undefined);
    const never = sendRaw(port, get('/') + tunnel);
    await once(server, 'connect');
    expect(await drain(server, { acceptMs: 5_000, totalMs: 100 })).toBe('cut off');
    expect(await never).toBe('');
  });
});

describe.concurrent('draining', () => {
  test('finishes running requests, announces the close on kept connections, accepts nothing new', async (context) => {
    let draining = false;
    const started: ServerResponse[] = [];
    const { server, port } = await listen(context, (req, res) => {
      if (draining) res.shouldKeepAlive = false;
      if (req.url === '/slow') started.push(res);
      else res.end('quick');
    });
    const kept = connect(port, '127.0.0.1');
    const keptClosed = untilClosed(kept);
    kept.write(get('/'));
    await once(kept, 'data');
    const slow = sendRaw(port, get('/slow'));
    await once(server, 'request');
    const idle = connect(port, '127.0.0.1');
    const idleClosed = untilClosed(idle);
    await once(server, 'connection');

    draining = true;
    const announced = Promise.withResolvers<void>();
    const drained = drain(server, limits, announced.promise);
    // Clients that connect meanwhile are served, and a balancer can ask whether to send more.
    expect(await sendRaw(port, get('/'))).toMatch(/Connection: close.*quick$/is);
    announced.resolve();
    kept.write(get('/'));
    expect((await keptClosed).answer.match(/Connection: close/gi)).toHaveLength(1);
    await idleClosed;
    const late = connect(port, '127.0.0.1');
    await expect(once(late, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    started[0]?.writeHead(200, { Connection: 'close' }).end('done');
    expect(await slow).toContain('done');
    expect(await drained).toBe('finished');
  });

  test('answers requests on a kept connection after the server stopped accepting', async (context) => {
    const started: ServerResponse[] = [];
    const { server, port } = await listen(context, (_req, res) => started.push(res));
    const kept = connect(port, '127.0.0.1');
    const closed = untilClosed(kept);
    kept.write(get('/slow'));
    await once(server, 'request');
    const drained = drain(server, limits);
    await expect.poll(() => server.listening).toBe(false);
    kept.write(get('/last', 'Connection: close\r\n'));
    await once(server, 'request');
    started[0]?.end('slow');
    started[1]?.end('last');
    expect((await closed).answer).toMatch(/slowHTTP.*last$/s);
    expect(await drained).toBe('finished');
  });

  test('removes its connection listeners', async (context) => {
    const { server } = await listen(context, () => undefined);
    const listeners = () => ['connection', 'drop'].map((event) => server.listenerCount(event));
    const before = listeners();
    await drain(server, limits);
    expect(listeners()).toEqual(before);
  });

  test('serves every connection that the system has already accepted', async (context) => {
    const { server, port } = await listen(context, (_req, res) => {
      res.shouldKeepAlive = false;
      res.end('here');
    });
    const answers = Array.from({ length: 60 }, () => sendRaw(port, get('/')));
    // By now the system has accepted them all, but the event loop has accepted none.
    await new Promise((resolve) => process.nextTick(resolve));
    const drained = drain(server, limits);
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/here$/);
    expect(await drained).toBe('finished');
  });

  test('answers the last connections only after listening has stopped', async (context) => {
    const stillListening: boolean[] = [];
    const { server, port } = await listen(context, (_req, res) => {
      stillListening.push(server.listening);
      res.shouldKeepAlive = false;
      res.end('here');
    });
    const answers = Array.from({ length: 10 }, () => sendRaw(port, get('/')));
    await new Promise((resolve) => process.nextTick(resolve));
    const drained = drain(server, limits);
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/here$/);
    await drained;
    expect(stillListening).toEqual(Array(10).fill(false));
  });

  test('does not wait endlessly for new connections', async (context) => {
    const { server, port } = await listen(context, (_req, res) => res.end());
    const come = () => void connect(port, '127.0.0.1').on('error', () => undefined);
    // The next one connects as soon as one has arrived.
    server.on('connection', (socket) => {
      come();
      socket.destroy();
    });
    come();
    await once(server, 'connection');
    await once(server, 'connection');
    expect(await drain(server, { acceptMs: 50, totalMs: 600_000 })).toBe('finished');
  });

  test('does not wait forever', async (context) => {
    const { server, port } = await listen(context, () => undefined);
    const never = sendRaw(port, get('/'));
    await once(server, 'request');
    expect(await drain(server, { acceptMs: 5_000, totalMs: 100 })).toBe('cut off');
    expect(await never).toBe('');
  });
});
