import { type ClosingSend, MessageRefused, SendingStopped } from './message.ts';

const waitMs = 10_000;
/** Answers from 400 to 499 that concern each message: the token, the address, and a gateway that is slow or busy. */
const ofGateway = [401, 402, 403, 404, 405, 407, 408, 415, 421, 425, 426, 429];

/**
 * SMS through an HTTP gateway: `POST` of `{ "to": "+8613800138000", "text": "…" }` as JSON, with the token as a Bearer
 * header; any status from 200 to 299 means that the gateway has accepted the message.
 */
export function smsSender(url: string, token: string | undefined): ClosingSend {
  const closing = new AbortController();
  const post = ({ to, text }: Parameters<ClosingSend>[0]) =>
    fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ to, text }),
      redirect: 'error',
      signal: AbortSignal.any([AbortSignal.timeout(waitMs), closing.signal]),
    });
  const send = async (message: Parameters<ClosingSend>[0]) => {
    const response = await post(message).catch((error: unknown) => {
      throw closing.signal.aborted ? new SendingStopped() : error;
    });
    await response.body?.cancel();
    if (response.ok) return;
    const { status } = response;
    const Refusal = status >= 400 && status < 500 && !ofGateway.includes(status) ? MessageRefused : Error;
    throw new Refusal(`The SMS gateway answered ${status}.`);
  };
  return Object.assign(send, { close: () => closing.abort() });
}
