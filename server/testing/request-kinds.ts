import { calls } from '../../client/contract/calls.ts';
import type { Shot } from './remade-site.ts';

/** One kind of request, of which no number may leave anything in memory. */
export interface RequestKind {
  name: string;
  /** What a test sends; a bench sends more. */
  count: number;
  /** How each of them ends: a status, or 'gone'. */
  outcome: string;
  shot: (index: number) => Shot;
}

const large = JSON.stringify({ text: 'x'.repeat(30_000) });
const words = ['mysql', 'kafka', 'replication', 'oracle', 'task'];
const query = (index: number) => `q=${words[index % words.length]}+${index}`;
const call = (body: string): Shot => ({ method: 'POST', path: calls.login, body });
const page: Shot = { path: '/docs/intro/product_intro' };

// biome-ignore format: one row a kind
export const requestKinds: readonly RequestKind[] = [
  { name: 'calls', count: 500, outcome: '200', shot: () => call('{}') },
  { name: 'calls with 30 kB', count: 200, outcome: '200', shot: () => call(large) },
  { name: 'calls that are refused', count: 500, outcome: '400', shot: () => call('{') },
  { name: 'calls that the backend fails', count: 500, outcome: '502', shot: () => call('{"fault":"failing"}') },
  { name: 'calls whose clients leave', count: 500, outcome: 'gone', shot: () => ({ ...call('{"fault":"silent"}'), leaves: true }) },
  { name: 'pages', count: 200, outcome: '200', shot: () => page },
  { name: 'pages whose clients leave', count: 200, outcome: 'gone', shot: () => ({ ...page, leaves: true }) },
  { name: 'pages that are not found', count: 100, outcome: '404', shot: (index) => ({ path: `/nowhere/${index}` }) },
  { name: 'searches', count: 100, outcome: '200', shot: (index) => ({ path: `/search?${query(index)}` }) },
  { name: 'search results', count: 500, outcome: '200', shot: (index) => ({ path: `/search.json?${query(index)}` }) },
  { name: 'preview pictures', count: 10, outcome: '200', shot: () => ({ path: '/preview/home.png' }) },
  { name: 'malformed requests', count: 500, outcome: '400', shot: (index) => ({ path: `/%zz${index}` }) },
];
