import { calls } from '../../../client/contract/calls.ts';

const paths: ReadonlySet<string> = new Set(Object.values(calls));
const prefixes = ['/rdp/', '/cloudcanal/'];

/** Addresses that are a call for POST and a page for GET. */
export const alsoPages: ReadonlySet<string> = new Set([calls.login, calls.register, calls.registerFromMarket]);

/** What an address is to the proxy: a known call, an unknown one under a call prefix, or neither. */
export function callAt(path: string): 'call' | 'unknown call' | 'none' {
  if (paths.has(path)) return 'call';
  return prefixes.some((prefix) => path.startsWith(prefix)) ? 'unknown call' : 'none';
}
