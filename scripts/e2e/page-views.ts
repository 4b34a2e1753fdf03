import type { BrowserContext } from 'playwright';
import { isRecord } from '../../client/browser/json.ts';
import { calls } from '../../client/contract/calls.ts';
import type { Console } from './upstream.ts';
import { eventually, store } from './visitor.ts';

/** The records that reached the console from the visitor whose stored keyword is `kw`, oldest first. */
export async function records(console: Console, kw: string): Promise<Record<string, unknown>[]> {
  const bodies = (await console.seen(calls.addViewLog)).map(({ body }) => body);
  return bodies.filter(isRecord).filter((body) => body.kw === kw);
}

/** Their addresses. */
export const uris = async (console: Console, kw: string) => (await records(console, kw)).map(({ uri }) => uri);

/** Waits for a visitor's first record. */
export async function firstRecord(console: Console, kw: string) {
  await eventually(async () => (await records(console, kw)).length).toBe(1);
  return (await records(console, kw))[0];
}

/** Gives a visitor the keyword that identifies its records. */
export const named = (context: BrowserContext, kw: string) => store(context, { kw_for_cc: kw });
