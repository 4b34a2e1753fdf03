import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in of the payment service's API that checks what it gets and remembers it. */
export interface StripeStandIn {
  url: string;
  /** Paths and parameters of the calls, the oldest first. */
  seen: { call: string; parameters: Record<string, string>; idempotencyKey: string | undefined }[];
  /** Cards that every customer has. */
  cards: { id: string; brand: string; last4: string; exp_month: number; exp_year: number }[];
  close(): Promise<void>;
}

/** Starts the stand-in; it takes the secret key `sk_test_key` alone. */
export async function startStripe(): Promise<StripeStandIn> {
  const seen: StripeStandIn['seen'] = [];
  const cards: StripeStandIn['cards'] = [];
  const byKey = new Map<string, object>();

  function answer(call: string, parameters: Record<string, string>): { status: number; body: object } {
    const need = (...names: string[]) => names.filter((name) => !parameters[name]);
    const missing =
      call === 'POST /v1/checkout/sessions'
        ? need('mode', 'customer', 'success_url', 'cancel_url', 'metadata[uid]')
        : call === 'POST /v1/billing_portal/sessions'
          ? need('customer', 'return_url')
          : [];
    if (parameters.mode === 'payment') missing.push(...need('line_items[0][price_data][unit_amount]'));
    if (missing.length > 0) {
      return { status: 400, body: { error: { type: 'invalid_request_error', message: `Missing: ${missing.join()}` } } };
    }
    const id = `${seen.length}`;
    if (call === 'POST /v1/customers') return { status: 200, body: { id: `cus_${id}`, object: 'customer' } };
    if (call === 'POST /v1/checkout/sessions') {
      return { status: 200, body: { id: `cs_${id}`, object: 'checkout.session', url: `https://pay.example/cs_${id}` } };
    }
    if (call === 'POST /v1/billing_portal/sessions') {
      return {
        status: 200,
        body: { id: `bps_${id}`, object: 'billing_portal.session', url: 'https://pay.example/portal' },
      };
    }
    if (/^GET \/v1\/customers\/\w+\/payment_methods$/.test(call)) {
      const data = cards.map(({ id: card, ...about }) => ({
        id: card,
        object: 'payment_method',
        type: 'card',
        card: about,
      }));
      return { status: 200, body: { object: 'list', data, has_more: false } };
    }
    if (/^GET \/v1\/customers\/\w+$/.test(call)) {
      return {
        status: 200,
        body: { id: call.slice(18), object: 'customer', invoice_settings: { default_payment_method: null } },
      };
    }
    return { status: 404, body: { error: { type: 'invalid_request_error', message: `Unknown: ${call}` } } };
  }

  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
    const [path = ''] = (req.url ?? '').split('?');
    const call = `${req.method} ${path}`;
    const parameters = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    const key = req.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' ? key : undefined;
    const authorized = req.headers.authorization === 'Bearer sk_test_key';
    seen.push({ call, parameters, idempotencyKey });
    const before = idempotencyKey?.startsWith('stripe-node') ? undefined : byKey.get(idempotencyKey ?? '');
    const { status, body } = !authorized
      ? { status: 401, body: { error: { type: 'authentication_error', message: 'No such key.' } } }
      : before
        ? { status: 200, body: before }
        : answer(call, parameters);
    if (status === 200 && idempotencyKey !== undefined) byKey.set(idempotencyKey, body);
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    cards,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
