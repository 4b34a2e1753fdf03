import type { Scene } from '../../../server/testing/kills/scene.ts';

/** Repeats one operation with several concurrent clients. @returns operations per second */
export async function perSecond(clients: number, ms: number, step: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let done = 0;
  const client = async () => {
    while (performance.now() - begun < ms) {
      await step();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return (done / (performance.now() - begun)) * 1000;
}

let asked = 0;

/** A separate address for each request, so that no per-address limit is measured. */
function nextAddress(): string {
  asked += 1;
  return `198.${18 + ((asked >> 16) & 1)}.${(asked >> 8) & 255}.${asked & 255}`;
}

export interface Answered {
  status: number;
  /** Body without the request ID, which differs each time. */
  text: string;
  /** Until the last byte. */
  ms: number;
}

/** A call as the site's proxy sends it. */
export async function post(
  { backend }: Scene,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const begun = performance.now();
  const answer = await fetch(backend.url + path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': nextAddress(), ...headers },
  });
  const text = await answer.text();
  const ms = performance.now() - begun;
  return { status: answer.status, text: text.replace(/"requestId":"[^"]*"/, ''), ms };
}

/** A call that must succeed. */
export async function ask(scene: Scene, path: string, body: object, headers?: Record<string, string>): Promise<string> {
  const { status, text } = await post(scene, path, body, headers);
  if (status >= 300 || text.includes('"success":false')) throw new Error(`${path} answered ${status}: ${text}`);
  return text;
}

export const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
