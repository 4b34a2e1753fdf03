import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** Tells who sends requests, given the proxies that are believed. */
export class ClientAddresses {
  readonly #isTrusted: (address: string, hops: number) => boolean;

  /** @param trustedProxies addresses, networks, or the names `loopback`, `linklocal`, `uniquelocal` */
  constructor(trustedProxies: readonly string[]) {
    this.#isTrusted = proxyAddr.compile([...trustedProxies]);
  }

  /** The other end of the connection, or whom a trusted proxy there names; empty when neither has an address. */
  of(req: IncomingMessage): string {
    const peer = plain(req.socket.remoteAddress);
    if (req.headers['x-forwarded-for'] === undefined) return peer;
    const named = plain(proxyAddr(req, this.#isTrusted));
    return isIP(named) ? named : peer;
  }

  isProxy(address: string): boolean {
    return this.#isTrusted(address, 0);
  }
}

/**
 * What limits are counted by: the address, or the network of an IPv6 address, since one customer has a whole /64.
 * Undefined where nothing is limited: this machine itself, where a proxy in front may be unnamed, and connections
 * without an address.
 */
export function limitKey(address: string | undefined): string | undefined {
  const text = plain(address);
  if (text === '' || text === '::1' || text.startsWith('127.')) return undefined;
  if (!text.includes(':')) return text;
  return ipaddr.isValid(text) ? ipaddr.parse(text).toByteArray().slice(0, 8).join('.') : text;
}

/** An IPv4 address without the prefix it has on a socket for both kinds. */
function plain(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '');
}
