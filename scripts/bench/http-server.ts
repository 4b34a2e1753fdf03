import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from '../../server/app.ts';
import { createSiteServer } from '../../server/http/server.ts';
import { openLog } from '../../server/log.ts';
import { stubServices } from '../../server/stub-services.ts';

// One of the servers that http.ts compares, in a process of its own; its log goes to standard output as in production.
const body = Buffer.from(`<!doctype html>${'<p>Rows that change at the source.</p>\n'.repeat(1100)}`.slice(0, 40_960));

const makers = {
  bare: () =>
    createServer((_req, res) => {
      res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length });
      res.end(body);
    }),
  site: () => {
    const { log } = openLog('info', false);
    const services = stubServices(
      { PUBLIC_URL: 'https://site.example' },
      { log, render: async () => ({ status: 200, html: body.toString() }) },
    );
    return createSiteServer(createApp(services).listener, log);
  },
};

const server = (process.argv[2] === 'bare' ? makers.bare : makers.site)();
// The parent asks how much processor time was used.
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
