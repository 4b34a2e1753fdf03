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

describe('the address of a client', () => {
  const addresses = new ClientAddresses(['loopback', '10.0.0.0/8']);

  test.each([
    ['is the other end', '192.0.2.1', undefined, '192.0.2.1'],
    ['is plain IPv4 on a dual-stack socket', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
    ['is the one that a trusted proxy names', '::ffff:127.0.0.1', '192.0.2.9', '192.0.2.9'],
    ['is not one that the client itself named', '127.0.0.1', '6.6.6.6, 192.0.2.9', '192.0.2.9'],
    ['is found behind several proxies', '127.0.0.1', '192.0.2.9, 10.1.1.1', '192.0.2.9'],
    ['may have a port, as some proxies write it', '127.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['may be IPv6 with a port', '127.0.0.1', '[2001:db8::1]:443', '2001:db8::1'],
    ['may be IPv6 in brackets', '127.0.0.1', '[2001:db8::1]', '2001:db8::1'],
    ['may be mapped IPv4 with a port', '127.0.0.1', '[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['may be plain IPv6', '127.0.0.1', '2001:db8::1:443', '2001:db8::1:443'],
    ['is found behind several proxies with ports', '127.0.0.1', '6.6.6.6, 192.0.2.9:1, 10.1.1.1:80', '192.0.2.9'],
    ['is that of the proxy if the port is invalid', '127.0.0.1', '192.0.2.9:x', '127.0.0.1'],
    ['is not taken from an untrusted proxy', '192.0.2.1', '192.0.2.9', '192.0.2.1'],
    ['is that of the proxy if the named one is not an address', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['is empty if the socket has none', undefined, undefined, ''],
  ])('%s', (_name, peer, forwarded, expected) => expect(addresses.of(requestFrom(peer, forwarded))).toBe(expected));

  test('only configured addresses are proxies', () => {
    expect(addresses.isProxy('::ffff:10.2.3.4')).toBe(true);
    expect(new ClientAddresses([]).isProxy('127.0.0.1')).toBe(false);
  });
});

describe('the key of a limit', () => {
  test.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '', undefined])('%s has none', (address) =>
    expect(limitKey(address)).toBeUndefined(),
  );

  test('an IPv4 address is its own key, an IPv6 address has that of its network', () => {
    expect(limitKey('192.0.2.1')).toBe('192.0.2.1');
    expect(limitKey('2001:db8:1:2::1')).toBe(limitKey('2001:DB8:1:2:ffff:0:0:9'));
    expect(limitKey('2001:db8:1:2::1')).not.toBe(limitKey('2001:db8:1:3::1'));
    expect(limitKey('fe80::1%eth0')).toBeDefined();
  });
});
