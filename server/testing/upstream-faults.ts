import type { ServerResponse } from 'node:http';

/** What an upstream can do wrong; named in a call's body as `{"fault": "…"}`. */
const faults = {
  none: (res) => json(res, 200, '{"success":true,"data":{"token":"t"}}'),
  refusal: (res) =>
    json(res, 400, '{"success":false,"code":"X","msg":"No."}', { 'Set-Cookie': ['a=1', 'b=2'], 'Retry-After': '7' }),
  signedOut: (res) =>
    json(res, 401, '{"success":false,"code":"SIGNED_OUT","msg":"Sign in."}', { 'WWW-Authenticate': 'Basic' }),
  paymentFailed: (res) =>
    json(res, 502, '{"success":false,"code":"PAYMENT_FAILED","msg":"No payment.","requestId":"r"}', {
      'Retry-After': '7',
    }),
  talkative: (res) =>
    json(res, 500, '{"success":false,"code":"X","msg":"No.","requestId":"r","stack":"at secret.ts:1"}'),
  empty: (res) => res.writeHead(204, { 'X-Internal': 'secret' }).end(),
  reset: (res) => res.socket?.resetAndDestroy(),
  closed: (res) => res.socket?.end(),
  silent: () => undefined,
  slow: (res, held) => held.push(res),
  endless: (res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    const timer = setInterval(() => res.write(' '), 50);
    res.once('close', () => clearInterval(timer));
  },
  huge: (res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    const chunk = Buffer.alloc(256 * 1024, ' ');
    const more = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on('drain', more);
    more();
  },
  half: (res) => {
    res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
    res.write('{"success":tr', () => res.socket?.end());
  },
  halfChunked: (res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.write('{"success":true}', () => res.socket?.end());
  },
  garbage: (res) => res.socket?.end('SSH-2.0-OpenSSH_9.2\r\n\r\n'),
  html: (res) => res.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>It works!</h1>'),
  brokenJson: (res) => json(res, 200, '{"success":true'),
  notUtf8: (res) => res.writeHead(200, { 'Content-Type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0x22])),
  emptyOk: (res) => res.writeHead(200).end(),
  zipped: (res) => json(res, 200, '{}', { 'Content-Encoding': 'gzip' }),
  redirect: (res) => res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  odd: (res) => json(res, 299, '{"success":true}'),
  failing: (res) => json(res, 500, '{"stack":"at secret.ts:1"}'),
  notImplemented: (res) => res.writeHead(501).end(),
  busy: (res) => json(res, 503, '{}', { 'Retry-After': '9' }),
  tooSlow: (res) => json(res, 504, '{}'),
} satisfies Record<string, (res: ServerResponse, held: ServerResponse[]) => unknown>;

export type Fault = keyof typeof faults;

function json(res: ServerResponse, status: number, body: string, headers: Record<string, string | string[]> = {}) {
  res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
}

/** Fails as the call's body requests. */
export function answerWithFault({ body }: { body: string }, res: ServerResponse, held: ServerResponse[]): void {
  const named = /"fault":"(\w+)"/.exec(body)?.[1] ?? 'none';
  const fault = (Object.keys(faults) as Fault[]).find((name) => name === named) ?? 'none';
  faults[fault](res, held);
}

/** Sends what was held back by the fault 'slow'. */
export function answerHeld(held: ServerResponse[]): void {
  for (const res of held.splice(0)) faults.none(res);
}
