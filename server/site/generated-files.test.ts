import { once } from 'node:events';
import { createServer } from 'node:http';
import request from 'supertest';
import { expect, onTestFinished, test } from 'vitest';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';
import { SearchNotReady } from './search/ready-index.ts';

test('pictures are drawn one at a time, without delaying other files', async () => {
  const drawn: string[] = [];
  const drawing = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const services = stubServices(
    {},
    {
      findGeneratedFile: (path) => ({
        route: path,
        type: path.endsWith('.png') ? 'image/png' : 'text/plain; charset=utf-8',
        cacheKey: path,
        body: async () => {
          if (!path.endsWith('.png')) return path;
          drawn.push(path);
          drawing.resolve();
          await held.promise;
          return Buffer.from(path);
        },
      }),
    },
  );
  const server = createServer(createApp(services).listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const pictures = ['/a.png', '/b.png', '/c.png'].map((path) =>
    request(server)
      .get(path)
      .then(({ status }) => status),
  );
  await drawing.promise;
  expect((await request(server).get('/robots.txt')).text).toBe('/robots.txt');
  expect(drawn).toHaveLength(1);
  held.resolve();
  expect(await Promise.all(pictures)).toEqual([200, 200, 200]);
  expect(drawn).toHaveLength(3);
});

test('searches that wait for the index do not delay feeds', async () => {
  const built = Promise.withResolvers<void>();
  const asked: string[] = [];
  const services = stubServices(
    {},
    {
      findGeneratedFile: (path) => ({
        route: path,
        type: 'text/plain; charset=utf-8',
        body: () => path,
        ...(path === '/search.json' && {
          ready: () => {
            asked.push(path);
            return built.promise;
          },
        }),
      }),
    },
  );
  const server = createServer(createApp(services).listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const questions = Array.from({ length: 4 }, () =>
    request(server)
      .get('/search.json')
      .then(({ status }) => status),
  );
  await expect.poll(() => asked.length).toBe(4);
  expect((await request(server).get('/blog/feed.json')).text).toBe('/blog/feed.json');
  built.resolve();
  expect(await Promise.all(questions)).toEqual([200, 200, 200, 200]);
});

test('a search before the index is ready gets a message in JSON', async () => {
  const services = stubServices(
    {},
    {
      findGeneratedFile: (path) => ({
        route: path,
        type: 'application/json; charset=utf-8',
        ready: () => Promise.reject(new SearchNotReady()),
        body: () => 'never made',
      }),
    },
  );
  const { status, body, headers } = await request(createServer(createApp(services).listener)).get('/search.json?q=x');
  expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '2', 'no-store']);
  expect(body).toMatchObject({
    success: false,
    code: 'SEARCH_NOT_READY',
    msg: 'The search is still being prepared. Please try again in a moment.',
  });
});
