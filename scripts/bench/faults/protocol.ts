import { sendRaw } from '../../../server/testing/raw.ts';
import { startSite } from '../../e2e/site.ts';
import { type Attack, exactly } from './attack.ts';

const get = (more: string) => `GET / HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const requests: readonly [what: string, bytes: string, statuses: string][] = [
  ['garbage behind a good request', `${get('')}garbage\r\n\r\n`, '200 400'],
  ['garbage alone', 'garbage\r\n\r\n', '400'],
  ['a compressed body in chunks', get('Transfer-Encoding: gzip, chunked\r\n'), '501'],
  ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', '505'],
  ['a malformed address', 'GET /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '400'],
  ['more headers than there may be', get(`X: ${'x'.repeat(20_000)}\r\n`), '431'],
];

/** Malformed requests: each gets its status, and HSTS if the site is on https. */
export const protocol: Attack = {
  name: 'protocol',
  async run() {
    const site = await startSite({ env: { PUBLIC_URL: 'https://www.site.example' } });
    const findings = [];
    try {
      for (const [what, bytes, statuses] of requests) {
        const answer = await sendRaw(Number(new URL(site.url).port), bytes);
        const found = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status).join(' ');
        findings.push(exactly(what, 'statuses', found, statuses));
        const promised = answer.match(/Strict-Transport-Security: max-age=63072000\r/gi)?.length ?? 0;
        findings.push(exactly(what, 'answers with HSTS', promised, statuses.split(' ').length));
      }
    } finally {
      await site.stop();
    }
    return findings;
  },
};
