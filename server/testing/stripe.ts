import { text } from 'node:stream/consumers';
import { startLocalServer } from './local-server.ts';

/** A stand-in for the payment service's API that checks and remembers what it receives. */
export interface StripeStandIn {
  url: string;
  /** Paths and parameters of the calls, oldest first. */
  seen: { call: string; parameters: Record<string, string>; idempotencyKey: string | undefined }[];
  /** Cards that every customer has. */
  cards: { id: string; brand: string; last4: string; exp_month: number; exp_year: number }[];
  /** The card that customers chose as their default, if any. */
  firstCard: string | null;
  /** The state of each payment page, by its id. */
  pages: Map<string, 'open' | 'complete' | 'expired'>;
  /** Whether cards are declined. */
  declining: boolean;
  /** The calls that it refuses, as for a faulty request. */
  refusing: RegExp | null;
  /** The calls that meet an internal error, which it answers again for the same idempotency key. */
  breaking: RegExp | null;
  /** Its clock, which a test may set to that of the console: pages may expire 30 minutes to a day from now. */
  now?: () => number;
  /** What happens elsewhere while a card is charged. */
  atCharge?: () => Promise<unknown>;
  /** Whether every call is refused, as for a faulty request. */
  failing: boolean;
  /** Forgets idempotency keys, as the service does after a day. */
  forgetKeys(): void;
  /**
   * Refunds, as its operator may do there, a part of a payment that was made.
   * @param created epoch milliseconds
   * @returns the refund, as it is described in events
   */
  refund(payment: string, amount: number, created: number): StandInRefund;
  /** Disputes a payment, as the owner of a card may do at the bank. @returns the dispute */
  dispute(payment: string, amount: number, created: number): StandInDispute;
  /** Cancels, as its operator may do there, every payment that was not made. */
  cancelPayments(): void;
  /** Knows nothing it was asked before, as if the secret key belonged to another account or mode. */
  forgetAll(): void;
  close(): Promise<void>;
}

/** Its state may be changed later, as the service does. */
export interface StandInRefund {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  payment_intent: string;
  status: 'pending' | 'succeeded' | 'failed';
  /** Epoch seconds. */
  created: number;
}

export interface StandInDispute extends Omit<StandInRefund, 'object' | 'status'> {
  object: 'dispute';
  status: 'needs_response' | 'under_review' | 'won' | 'lost';
}

/** A payment that a server begins, as the service describes it. */
interface Intent {
  id: string;
  object: 'payment_intent';
  status: 'requires_confirmation' | 'succeeded' | 'canceled';
  automatic_payment_methods: { enabled: true; allow_redirects: string };
  amount: number;
  customer: string | undefined;
  metadata: Record<string, string>;
  /** Epoch seconds. */
  created: number;
}

/** Starts the stand-in; it accepts only the secret key `sk_test_key`. */
export async function startStripe(): Promise<StripeStandIn> {
  const seen: StripeStandIn['seen'] = [];
  const cards: StripeStandIn['cards'] = [];
  const byKey = new Map<string, { status: number; body: object }>();
  const customers = new Set<string>();
  const payments = new Map<string, Intent>();
  let made = 0;
  const refunds: StandInRefund[] = [];
  const disputes: StandInDispute[] = [];
  const pages: StripeStandIn['pages'] = new Map();
  const standIn: StripeStandIn = {
    url: '',
    seen,
    cards,
    firstCard: null,
    pages,
    declining: false,
    refusing: null,
    breaking: null,
    failing: false,
    forgetKeys: () => byKey.clear(),
    refund(payment, amount, created) {
      const about = { ...claim(payment, amount, created), id: `re_${++made}` };
      const refund: StandInRefund = { ...about, object: 'refund', status: 'succeeded' };
      refunds.unshift(refund);
      return refund;
    },
    dispute(payment, amount, created) {
      const about = { ...claim(payment, amount, created), id: `du_${++made}` };
      const dispute: StandInDispute = { ...about, object: 'dispute', status: 'needs_response' };
      disputes.unshift(dispute);
      return dispute;
    },
    cancelPayments: () => {
      for (const payment of payments.values()) if (payment.status !== 'succeeded') payment.status = 'canceled';
    },
    forgetAll: () => {
      for (const known of [byKey, customers, payments, pages]) known.clear();
      for (const known of [refunds, disputes]) known.length = 0;
    },
    close: async () => undefined,
  };

  /** The payment that was made on a page. */
  const paymentOf = (page: string) => `pi_${page}`;
  const isPaid = (payment: string) =>
    payments.get(payment)?.status === 'succeeded' ||
    [...pages].some(([id, state]) => state === 'complete' && paymentOf(id) === payment);
  function claim(payment: string, amount: number, created: number) {
    if (!isPaid(payment)) throw new Error(`The payment ${payment} was not made.`);
    return { amount, currency: 'usd', payment_intent: payment, created: Math.floor(created / 1_000) };
  }

  /** What a call lacks that the service requires. */
  function missingOf(call: string, parameters: Record<string, string>): string[] {
    const needed: Record<string, string[]> = {
      'POST /v1/checkout/sessions': [
        'mode',
        'customer',
        'success_url',
        'cancel_url',
        'metadata[uid]',
        'allowed_payment_method_types[0]',
      ],
      'POST /v1/payment_intents': ['amount', 'currency', 'customer', 'metadata[invoiceId]'],
      'POST /v1/billing_portal/sessions': ['customer', 'return_url'],
      'GET /v1/checkout/sessions': ['payment_intent'],
      'GET /v1/payment_intents': ['customer', 'created[gte]'],
      'GET /v1/refunds': ['created[gte]'],
      'GET /v1/disputes': ['created[gte]'],
    };
    const amount = parameters.mode === 'payment' ? ['line_items[0][price_data][unit_amount]'] : [];
    const cents = parameters.amount ?? parameters['line_items[0][price_data][unit_amount]'] ?? '50';
    const more = Number(cents) < 50 || Number(cents) > 99_999_999 ? ['an amount of 50 to 99,999,999 cents'] : [];
    return [...(needed[call] ?? []), ...amount, ...more].filter((name) => !parameters[name]);
  }

  /** The parameters that begin with this name, by what follows it in brackets. */
  const within = (name: string, parameters: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(parameters).flatMap(([key, value]) =>
        key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, -1), value] as const] : [],
      ),
    );

  const begun = (id: string, parameters: Record<string, string>, metadata: Record<string, string>): Intent => ({
    id,
    object: 'payment_intent',
    status: 'requires_confirmation',
    // Methods that lead elsewhere are among those of its dashboard, unless the caller wants none.
    automatic_payment_methods: {
      enabled: true,
      allow_redirects: parameters['automatic_payment_methods[allow_redirects]'] ?? 'always',
    },
    amount: Number(parameters.amount ?? parameters['line_items[0][price_data][unit_amount]']),
    customer: parameters.customer,
    metadata,
    created: Math.floor((standIn.now?.() ?? Date.now()) / 1_000),
  });
  const intentOf = (path: string) => payments.get(path.split('/')[3] ?? '');

  const pageId = (path: string) => path.split('/')[4] ?? '';
  /** What is paid on the pages. */
  const onPages = new Map<string, Intent>();
  /** The parameters that the pages were created with. */
  const metadata = new Map<string, Record<string, string>>();
  const page = (path: string) => {
    const id = pageId(path);
    const status = pages.get(id);
    return {
      id,
      object: 'checkout.session',
      status,
      payment_status: status === 'complete' ? 'paid' : 'unpaid',
      payment_intent: status === 'complete' ? paymentOf(id) : null,
      metadata: metadata.get(id),
      created: Math.floor(Date.now() / 1_000),
      url: status === 'open' ? `https://pay.example/${id}` : null,
    };
  };

  /** A page of a list, newest first, as long as one is asked for. */
  function listed(items: { id: string; created: number }[], parameters: Record<string, string>) {
    const wanted = items.filter(({ created }) => created >= Number(parameters['created[gte]']));
    const after = wanted.slice(wanted.findIndex(({ id }) => id === parameters.starting_after) + 1);
    const data = after.slice(0, Number(parameters.limit ?? 10));
    return { object: 'list', data, has_more: data.length < after.length };
  }

  const answers: [call: RegExp, make: (id: string, path: string, parameters: Record<string, string>) => object][] = [
    [
      /^POST \/v1\/customers$/,
      (id) => {
        customers.add(`cus_${id}`);
        return { id: `cus_${id}`, object: 'customer' };
      },
    ],
    [
      /^POST \/v1\/checkout\/sessions$/,
      (id, path, parameters) => {
        pages.set(`cs_${id}`, 'open');
        metadata.set(`cs_${id}`, within('metadata', parameters));
        const payment = begun(paymentOf(`cs_${id}`), parameters, within('payment_intent_data[metadata]', parameters));
        onPages.set(`cs_${id}`, payment);
        return page(`${path}/cs_${id}`);
      },
    ],
    [
      /^GET \/v1\/checkout\/sessions$/,
      (_id, _path, { payment_intent: payment }) => {
        const found = [...pages.keys()].filter((id) => paymentOf(id) === payment);
        return { object: 'list', data: found.map((id) => page(`/v1/checkout/sessions/${id}`)), has_more: false };
      },
    ],
    [/^GET \/v1\/refunds\/\w+$/, (_id, path) => refunds.find(({ id }) => id === path.split('/')[3]) ?? {}],
    [/^GET \/v1\/refunds$/, (_id, _path, parameters) => listed(refunds, parameters)],
    [/^GET \/v1\/disputes$/, (_id, _path, parameters) => listed(disputes, parameters)],
    [/^GET \/v1\/checkout\/sessions\/\w+$/, (_id, path) => page(path)],
    [
      /^POST \/v1\/checkout\/sessions\/\w+\/expire$/,
      (_id, path) => {
        pages.set(pageId(path), 'expired');
        return page(path);
      },
    ],
    [
      /^POST \/v1\/billing_portal\/sessions$/,
      (id) => ({ id: `bps_${id}`, object: 'billing_portal.session', url: 'https://pay.example/portal' }),
    ],
    [
      /^POST \/v1\/payment_intents$/,
      (id, _path, parameters) => {
        const made = begun(`pi_${id}`, parameters, within('metadata', parameters));
        payments.set(made.id, made);
        return made;
      },
    ],
    [
      /^GET \/v1\/payment_intents$/,
      (_id, _path, parameters) => {
        const paid = [...onPages].flatMap(([id, payment]) =>
          pages.get(id) === 'complete' ? [{ ...payment, status: 'succeeded' }] : [],
        );
        const known = [...payments.values(), ...paid].filter(({ customer }) => customer === parameters.customer);
        return listed(known, parameters);
      },
    ],
    [/^GET \/v1\/payment_intents\/\w+$/, (_id, path) => ({ ...intentOf(path) })],
    [
      /^POST \/v1\/payment_intents\/\w+\/confirm$/,
      (_id, path) => Object.assign(intentOf(path) ?? {}, { status: 'succeeded' }),
    ],
    [
      /^GET \/v1\/customers\/\w+\/payment_methods$/,
      () => ({
        object: 'list',
        data: cards.map(({ id, ...card }) => ({ id, object: 'payment_method', type: 'card', card })),
        has_more: false,
      }),
    ],
    [
      /^GET \/v1\/customers\/\w+$/,
      () => ({ id: 'cus', object: 'customer', invoice_settings: { default_payment_method: standIn.firstCard } }),
    ],
    [
      /^POST \/v1\/customers\/\w+$/,
      (_id, path, parameters) => {
        standIn.firstCard = parameters['invoice_settings[default_payment_method]'] ?? standIn.firstCard;
        return { id: path.split('/')[3] ?? '', object: 'customer' };
      },
    ],
  ];

  const refused = (status: number, message: string, more: { code?: string; param?: string } = {}) => ({
    status,
    body: { error: { type: 'invalid_request_error', message, ...more } },
  });

  /** What is wrong with a call about a customer. */
  function customerFault(call: string, { customer }: Record<string, string>) {
    const [, named] = /\/v1\/customers\/(\w+)/.exec(call) ?? [];
    const unknown = [customer, named].find((id) => id !== undefined && !customers.has(id));
    const param = customer === undefined ? 'id' : 'customer';
    return unknown === undefined
      ? undefined
      : refused(404, `No such customer: ${unknown}`, { code: 'resource_missing', param });
  }

  /** What is wrong with a call about a payment. */
  function paymentFault(call: string, { return_url: back }: Record<string, string>) {
    const [, named] = /\/v1\/payment_intents\/(\w+)/.exec(call) ?? [];
    if (named === undefined) return undefined;
    const payment = payments.get(named);
    if (!payment) return refused(404, 'No such payment.', { code: 'resource_missing', param: 'intent' });
    if (!call.endsWith('/confirm')) return undefined;
    if (payment.status === 'canceled')
      return refused(400, 'It was cancelled.', { code: 'payment_intent_unexpected_state' });
    return payment.automatic_payment_methods.allow_redirects === 'always' && back === undefined
      ? refused(400, 'A payment whose methods may redirect needs a return_url.')
      : undefined;
  }

  function expiryFault({ expires_at: at }: Record<string, string>) {
    const inMs = Number(at) * 1_000 - (standIn.now?.() ?? Number.NaN);
    return inMs < 30 * 60_000 || inMs > 24 * 3_600_000
      ? refused(400, 'It expires too early or too late.', { param: 'expires_at' })
      : undefined;
  }

  /** What is wrong with a call about a page. */
  function pageFault(call: string) {
    const state = pages.get(pageId(call));
    if (/^GET \S+\/sessions\/\w+$/.test(call) && !state)
      return refused(404, 'No such checkout.session.', { code: 'resource_missing', param: 'session' });
    return call.endsWith('/expire') && state !== 'open' ? refused(400, 'It is not open.') : undefined;
  }

  /** The fault that a test wants a call to meet. */
  function wantedFault(call: string) {
    if (standIn.failing || standIn.refusing?.test(call)) return refused(400, 'Refused.');
    if (!standIn.breaking?.test(call)) return undefined;
    return { status: 500, body: { error: { type: 'api_error', message: 'Broken.' } } };
  }

  function answer(call: string, parameters: Record<string, string>, authorization: string | undefined) {
    const wanted = wantedFault(call);
    if (wanted) return wanted;
    if (authorization !== 'Bearer sk_test_key') return refused(401, 'No such key.');
    if (standIn.declining && call.endsWith('/confirm')) {
      const error = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' };
      return { status: 402, body: { error } };
    }
    const fault =
      pageFault(call) ?? expiryFault(parameters) ?? customerFault(call, parameters) ?? paymentFault(call, parameters);
    if (fault) return fault;
    const missing = missingOf(call, parameters);
    if (missing.length > 0) return refused(400, `Missing: ${missing.join()}`);
    const make = answers.find(([pattern]) => pattern.test(call))?.[1];
    return make
      ? { status: 200, body: make(`${++made}`, call.split(' ')[1] ?? '', parameters) }
      : refused(404, `Unknown: ${call}`);
  }

  const server = await startLocalServer(async (req, res) => {
    const [path = '', query] = (req.url ?? '').split('?');
    const call = `${req.method} ${path}`;
    const parameters = Object.fromEntries(new URLSearchParams(query ?? (await text(req))));
    const key = req.headers['idempotency-key'];
    const idempotencyKey = typeof key === 'string' ? key : undefined;
    seen.push({ call, parameters, idempotencyKey });
    if (call.endsWith('/confirm')) await standIn.atCharge?.();
    const before = byKey.get(idempotencyKey ?? '');
    const { status, body } = before && !standIn.failing ? before : answer(call, parameters, req.headers.authorization);
    // It remembers what it began to do, whether that succeeded or not.
    if ((status === 200 || status === 500) && idempotencyKey !== undefined) byKey.set(idempotencyKey, { status, body });
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  standIn.url = server.url;
  standIn.close = server.close;
  return standIn;
}
