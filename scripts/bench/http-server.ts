import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { readSiteConfig } from '../../server/config/site.ts';
import { createPublicServer } from '../../server/http/server.ts';
import { openLog } from '../../server/log.ts';
import { createApp } from '../../server/site/app.ts';
import { loadSite } from '../../server/site/load.ts';
import { stubServices } from '../../server/testing/stub-services.ts';

// One of the servers that http.ts compares, in its own process; its log goes to standard output as in production.
const body = Buffer.from(`<!doctype html>${'<p>Rows that change at the source.</p>\n'.repeat(1100)}`.slice(0, 40_960));

const { log } = openLog('info', false);
const config = readSiteConfig({ PUBLIC_URL: 'https://site.example', STRICT_CONTENT: 'off' });

/** The real site, rendering every page on every request. */
async function drawnSite(): Promise<Server> {
  const site = await loadSite(config, log, false);
  const findPage: typeof site.findPage = async (path, query) => {
    const found = await site.findPage(path, query);
    if (found.kind === 'redirect') return found;
    const { cacheKey: _, ...drawn } = found;
    return drawn;
  };
  return createPublicServer(createApp({ ...site, config, log, findPage }).listener, { log });
}

/** The page that bare node:http serves, of exactly the same size. */
function stubSite(): Server {
  const render = async () => ({ status: 200, html: body.toString() });
  return createPublicServer(createApp({ ...stubServices(), config, log, render }).listener, { log });
}

function bareSite(): Server {
  return createServer((_req, res) => {
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length });
    res.end(body);
  });
}

const kinds = { bare: bareSite, stub: stubSite, drawn: drawnSite };

export type Kind = keyof typeof kinds;

const kind = z.enum(['bare', 'stub', 'drawn']).parse(process.argv[2]);
const server = await kinds[kind]();
// The parent asks how much processor time was used.
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
