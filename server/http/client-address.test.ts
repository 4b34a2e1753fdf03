import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { ClientAddresses, limitKey } from './client-address.ts';

function requestFrom(peer: string | undefined, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: peer });
  const req = new IncomingMessage(socket);
  if (forwarded !== undefined) req.headers['x-forwarded-for'] = forwarded;
  return req;
}

describe('who sent a request', () => {
  const addresses = new ClientAddresses(['loopback', '10.0.0.0/8']);

  test.each([
    ['the other end', '192.0.2.1', undefined, '192.0.2.1'],
    ['a socket of both kinds', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['whom a trusted proxy names', '::ffff:127.0.0.1', '192.0.2.9', '192.0.2.9'],
    ['not what the client said before', '127.0.0.1', '6.6.6.6, 192.0.2.9', '192.0.2.9'],
    ['through a row of proxies', '127.0.0.1', '192.0.2.9, 10.1.1.1', '192.0.2.9'],
    ['with a port, as some proxies write it', '127.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['IPv6 with a port', '127.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['IPv6 in brackets alone', '127.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['IPv4 with the prefix and a port', '127.0.0.1', '[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['IPv6 as it is', '127.0.0.1', '2001:db8::1:443', '2001:db8::1:443'],
    ['through a row of proxies with ports', '127.0.0.1', '6.6.6.6, 192.0.2.9:1, 10.1.1.1:80', '192.0.2.9'],
    ['a port that is none', '127.0.0.1', '192.0.2.9:x', '127.0.0.1'],
    ['a proxy that is not trusted', '192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['a name that is no address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['no address at all', undefined, undefined, ''],
  ])('%s', (_name, peer, forwarded, expected) => expect(addresses.of(requestFrom(peer, forwarded))).toBe(expected));

  test('nobody is a proxy unless named', () => {
    expect(addresses.isProxy('::ffff:10.2.3.4')).toBe(true);
    expect(new ClientAddresses([]).isProxy('127.0.0.1')).toBe(false);
  });
});

describe('what limits are counted by', () => {
  test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '', undefined])('%s is not limited', (address) =>
    expect(limitKey(address)).toBeUndefined(),
  );

  test('an IPv4 address is itself, an IPv6 address its network', () => {
    expect(limitKey('192.0.2.1')).toBe('192.0.2.1');
    expect(limitKey('2001:db8:1:2::1')).toBe(limitKey('2001:DB8:1:2:ffff:0:0:9'));
    expect(limitKey('2001:db8:1:2::1')).not.toBe(limitKey('2001:db8:1:3::1'));
    expect(limitKey('fe80::1%eth0')).toBeDefined();
  });
});
