import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { freePort } from '../../server/testing/free-port.ts';
import { startSite } from '../e2e/site.ts';
import { installBenchTools } from './bench-tools.ts';
import { type Row, record } from './record.ts';

// The HTTP Observatory's score of the site as deployed: behind a proxy that terminates TLS and redirects http to https.
// The certificate comes from an authority created for this run and trusted only by the scanner.
const paths = [
  '/', '/why', '/pricing', '/connector', '/login', '/register', '/resetPwd', '/blog', '/blog/tech_share/mysql_clickhouse_sync', '/docs/intro/product_intro',
]; // biome-ignore format: one list

/** The score that every page must reach, or the measurement fails. */
const leastScore = 135;

const answer = z.object({ status: z.number(), score: z.number(), grade: z.string(), lost: z.array(z.string()) });

/** A certificate authority and a certificate for localhost, good for one day. */
async function makeCertificate(folder: string) {
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`openssl is needed for this measurement: ${stderr}`);
  };
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
  run(...request, '-subj', '/CN=Bench CA', '-keyout', 'ca.key', '-out', 'ca.pem');
  const signed = [
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-addext',
    'subjectAltName=DNS:localhost',
    '-addext',
    'basicConstraints=CA:FALSE',
  ];
  run(...request, '-subj', '/CN=localhost', ...signed, '-keyout', 'key.pem', '-out', 'cert.pem');
  return {
    key: await readFile(join(folder, 'key.pem')),
    cert: await readFile(join(folder, 'cert.pem')),
    ca: join(folder, 'ca.pem'),
  };
}

const listen = async (server: http.Server, port: number) => once(server.listen(port, 'localhost'), 'listening');

installBenchTools();
const folder = await mkdtemp(join(tmpdir(), 'millrace-observatory-'));
const [httpPort, httpsPort] = [await freePort(), await freePort()];
const publicUrl = `https://localhost:${httpsPort}`;
const site = await startSite({ env: { PUBLIC_URL: publicUrl } });
const { key, cert, ca } = await makeCertificate(folder);

const proxy = https.createServer({ key, cert }, (req, res) => {
  const upstream = http.request(site.url + req.url, { method: req.method, headers: req.headers }, (response) => {
    res.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(res);
  });
  upstream.on('error', () => res.destroy());
  req.pipe(upstream);
});
const toHttps = http.createServer((req, res) => res.writeHead(301, { Location: publicUrl + req.url }).end());
await listen(proxy, httpsPort);
await listen(toHttps, httpPort);

const rows: Row[] = [];
try {
  for (const path of paths) {
    const args = [join(import.meta.dirname, 'observatory-scan.mjs'), String(httpPort), String(httpsPort), path];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: ca },
    });
    const { status, score, grade, lost } = answer.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
    rows.push({ page: path, status, score, grade, lost: lost.join(', ') });
  }
} finally {
  proxy.close();
  toHttps.close();
  await site.stop();
  await rm(folder, { recursive: true, force: true });
}
await record('observatory', rows, { '@mdn/mdn-http-observatory': '1.4.8' });
const below = rows.filter(({ score }) => Number(score) < leastScore).map(({ page }) => page);
if (below.length > 0) {
  console.error(`Below ${leastScore}: ${below.join(', ')}.`);
  process.exitCode = 1;
}
