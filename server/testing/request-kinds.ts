import type { ServerResponse } from 'node:http';
import { calls } from '../../client/contract/calls.ts';
import { jobCalls } from '../../client/contract/jobs/calls.ts';
import { cspReportPath } from '../site/csp-report.ts';
import type { Shot } from './remade-site.ts';
import type { SeenCall } from './upstream.ts';
import { answerWithFault } from './upstream-faults.ts';

/** One kind of request, which must not leave anything in memory, however often it is sent. */
export interface RequestKind {
  name: string;
  /** How many a test sends; a bench sends more. */
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
const download: Shot = { path: '/downloads/millrace.tar.gz?signature=1' };
const events: Shot = { path: jobCalls.jobEvents };
const violation = { 'effective-directive': 'script-src', 'blocked-uri': 'https://other.example/a.js' };
const report: Shot = {
  method: 'POST',
  path: cspReportPath,
  body: JSON.stringify({ 'csp-report': violation }),
  type: 'application/csp-report',
};
const archive = Buffer.alloc(100_000, 'Rows. ');

/** The backend of these requests: calls answer as they request, whole files, and endless live events. */
export function answerKinds(call: SeenCall, res: ServerResponse, held: ServerResponse[]): void {
  if (call.url?.startsWith('/downloads/')) res.writeHead(200, { 'Content-Type': 'application/gzip' }).end(archive);
  else if (call.url === jobCalls.jobEvents)
    res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: {}\n\n');
  else answerWithFault(call, res, held);
}

// biome-ignore format: one row a kind
export const requestKinds: readonly RequestKind[] = [
  { name: 'calls', count: 500, outcome: '200', shot: () => call('{}') },
  { name: 'calls with 30 kB', count: 200, outcome: '200', shot: () => call(large) },
  { name: 'calls that are refused', count: 500, outcome: '400', shot: () => call('{') },
  { name: 'calls that the backend fails', count: 500, outcome: '502', shot: () => call('{"fault":"failing"}') },
  { name: 'calls whose clients leave', count: 500, outcome: 'gone', shot: () => ({ ...call('{"fault":"silent"}'), leaves: 'at once' }) },
  { name: 'calls of jobs', count: 300, outcome: '200', shot: () => ({ ...call('{}'), path: jobCalls.listJobs }) },
  { name: 'live events whose clients leave', count: 200, outcome: 'gone', shot: () => ({ ...events, leaves: 'amid the answer' }) },
  { name: 'downloads', count: 200, outcome: '200', shot: () => download },
  { name: 'downloads whose clients leave', count: 200, outcome: 'gone', shot: () => ({ ...download, leaves: 'amid the answer' }) },
  { name: 'pages', count: 200, outcome: '200', shot: () => page },
  { name: 'pages whose clients leave', count: 200, outcome: 'gone', shot: () => ({ ...page, leaves: 'at once' }) },
  { name: 'pages that are not found', count: 300, outcome: '404', shot: (index) => ({ path: `/nowhere/${index}` }) },
  { name: 'searches', count: 300, outcome: '200', shot: (index) => ({ path: `/search?${query(index)}` }) },
  { name: 'search results', count: 500, outcome: '200', shot: (index) => ({ path: `/search.json?${query(index)}` }) },
  { name: 'preview pictures', count: 50, outcome: '200', shot: () => ({ path: '/preview/home.png' }) },
  { name: 'files', count: 500, outcome: '200', shot: () => ({ path: '/screenshot.png' }) },
  { name: 'policy reports', count: 500, outcome: '204', shot: () => report },
  { name: 'malformed requests', count: 500, outcome: '400', shot: (index) => ({ path: `/%zz${index}` }) },
];
