import type { ClosingSend } from './message.ts';

const waitMs = 10_000;

/**
 * SMS through an HTTP gateway: `POST` of `{ "to": "+8613800138000", "text": "…" }` as JSON, with the token as a Bearer
 * header; any status from 200 to 299 means that the gateway has accepted the message.
 */
export function smsSender(url: string, token: string | undefined): ClosingSend {
  const closing = new AbortController();
  const send = async ({ to, text }: Parameters<ClosingSend>[0]) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ to, text }),
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(waitMs), closing.signal]),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The SMS gateway answered ${response.status}.`);
  };
  return Object.assign(send, { close: () => closing.abort(new Error('the server is stopping')) });
}
