import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { sendInProcess } from '../testing/raw.ts';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';

test.each([
  ['http', 'GET', 'text/html'],
  ['https', 'GET', 'text/html'],
  ['https', 'POST', 'application/json'],
])('a refused request has strict headers and a request ID, too: %s, %s', async (scheme, method, type) => {
  const services = stubServices({ PUBLIC_URL: `${scheme}://site.example` });
  const server = createServer(createApp(services).listener);
  const answer = await sendInProcess(server, `${method} /%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain(`\r\nContent-Type: ${type}; charset=utf-8\r\n`);
  expect(answer).toMatch(/\r\nContent-Security-Policy: default-src 'none';/);
  expect(answer).toContain('\r\nX-Content-Type-Options: nosniff\r\n');
  expect(answer.includes('\r\nStrict-Transport-Security: ')).toBe(scheme === 'https');
  const [line] = services.logged;
  expect(line).toMatchObject({ route: 'refused', status: 400 });
  expect(answer).toContain(`\r\nX-Request-Id: ${line?.id}\r\n`);
});
