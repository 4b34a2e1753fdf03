import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { mayReach, reachOf, reachSocket } from './reach.ts';

const all = reachOf({});
const open = reachOf({ ENGINE_REACH: 'public' });

describe('which addresses a job may connect to', () => {
  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1', true],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['172.32.0.1', true],
    ['192.168.1.1', false],
    ['127.0.0.1', false],
    ['127.8.8.8', false],
    ['0.0.0.0', false],
    ['169.254.1.1', false],
    ['100.64.0.1', false],
    ['::1', false],
    ['::', false],
    ['fd00::1', false],
    ['fe80::1', false],
    ['::ffff:10.0.0.1', false],
    ['::ffff:8.8.8.8', true],
    ['64:ff9b::7f00:1', false],
  ])('with public reach, a job may connect to %s: %s', (address, allowed) => {
    expect(mayReach(open, address, 5432)).toBe(allowed);
    expect(mayReach(all, address, 5432)).toBe(true);
  });

  test('private networks that the operator lists are allowed, and no others', () => {
    const listed = reachOf({ ENGINE_REACH: 'public', ENGINE_NETWORKS: '10.20.0.0/16,fd00:1::/64' });
    expect(['10.20.3.4', '10.21.0.1', 'fd00:1::5', 'fd00:2::5'].map((one) => mayReach(listed, one, 1))).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '::',
    '::1',
    '0:0:0:0:0:0:0:0',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:FFFF:7F00:1',
    '::ffff:0:0',
    '192.0.2.7',
    '::ffff:c000:207',
    '2001:DB8:0::7',
    '2001:db8::7%eth0',
  ])('a forbidden local port is also forbidden under %s', (address) => {
    const machine = ['127.0.0.1', '::1', '192.0.2.7', '2001:db8::7'];
    for (const host of ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '[::]', '[0:0:0:0:0:0:0:1]']) {
      const own = reachOf({ ENGINE_FORBIDDEN: `${host}:5433` });
      expect([host, mayReach(own, address, 5433, machine)]).toEqual([host, false]);
      expect([host, mayReach(own, address, 5432, machine)]).toEqual([host, true]);
    }
  });

  test("this machine's addresses are recognised without being configured", () => {
    const own = reachOf({ ENGINE_FORBIDDEN: 'localhost:5433' });
    const found = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
    expect(found.length).toBeGreaterThan(0);
    expect(found.map((address) => mayReach(own, address, 5433))).toEqual(found.map(() => false));
    expect(mayReach(own, '198.51.100.9', 5433)).toBe(true);
  });

  test('other spellings of private addresses count as private', () => {
    for (const address of ['::ffff:a00:1', '0:0:0:0:0:ffff:10.0.0.1', 'fe80::1%eth0', '::ffff:a9fe:a9fe'])
      expect([address, mayReach(open, address, 5432)]).toEqual([address, false]);
    expect(mayReach(all, '::ffff:a9fe:a9fe', 80)).toBe(false);
  });

  test('cloud credentials and the own store are never reachable', () => {
    const own = reachOf({ ENGINE_FORBIDDEN: 'localhost:5433,db.example:5432,10.0.0.9:5432' });
    expect(mayReach(own, '169.254.169.254', 80)).toBe(false);
    expect(mayReach(own, '::ffff:169.254.169.254', 80)).toBe(false);
    expect(mayReach(own, '127.0.0.1', 5433)).toBe(false);
    expect(mayReach(own, '::1', 5433)).toBe(false);
    expect(mayReach(own, '10.0.0.9', 5432)).toBe(false);
    expect(mayReach(own, '127.0.0.1', 5432)).toBe(true);
  });
});

test('a socket checks the resolved address that it actually connects to', async () => {
  const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  for (const host of ['127.0.0.1', 'localhost']) {
    const refused = reachSocket(open, 'source');
    refused.connect(port, host);
    const [error] = await once(refused, 'error');
    expect([host, error.code]).toEqual([host, 'NETWORK_NOT_ALLOWED']);
    const taken = reachSocket(all, 'source');
    taken.connect(port, '127.0.0.1');
    await once(taken, 'connect');
    taken.destroy();
  }
  server.close();
  const path = reachSocket(open, 'source');
  path.connect('/run/postgresql/.s.PGSQL.5432');
  expect((await once(path, 'error'))[0].code).toBe('NETWORK_NOT_ALLOWED');
  const store = reachOf({ ENGINE_FORBIDDEN: 'store.example:5432' });
  const errorOf = async (file: string) => {
    const socket = reachSocket(store, 'source', async () => ['127.0.0.1']);
    socket.connect(file);
    return (await once(socket, 'error'))[0].code;
  };
  expect(await errorOf('/nowhere/.s.PGSQL.5432')).toBe('NETWORK_NOT_ALLOWED');
  expect(await errorOf('/nowhere/.s.PGSQL.5433')).toBe('ENOENT');
});

test('a forbidden host name is also forbidden by its addresses', async () => {
  const own = { ...all, forbidden: ['store.example:5999'] };
  const socket = reachSocket(own, 'target', async (name) => (name === 'store.example' ? ['127.0.0.1'] : []));
  socket.connect(5999, '127.0.0.1');
  expect((await once(socket, 'error'))[0].code).toBe('NETWORK_NOT_ALLOWED');
});
