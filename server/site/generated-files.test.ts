import { once } from 'node:events';
import { createServer } from 'node:http';
import request from 'supertest';
import { expect, onTestFinished, test } from 'vitest';
import { stubServices } from '../testing/stub-services.ts';
import { createApp } from './app.ts';

test('pictures are drawn one at a time, and other files do not wait for them', async () => {
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
