import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';
import ipaddr from 'ipaddr.js';
import proxyAddr from 'proxy-addr';

/** Determines who sends requests, given the trusted proxies. */
export class ClientAddresses {
  readonly #isTrusted: (address: string, hops: number) => boolean;

  /** @param trustedProxies addresses, networks, or the names `loopback`, `linklocal`, `uniquelocal` */
  constructor(trustedProxies: readonly string[]) {
    this.#isTrusted = proxyAddr.compile([...trustedProxies]);
  }

  /**
   * The other end of the connection, or the client that a trusted proxy there names; empty when neither has an address.
   */
  of(req: IncomingMessage): string {
    const peer = plain(req.socket.remoteAddress);
    // The header is read only for a trusted peer: anyone can make it long.
    if (req.headers['x-forwarded-for'] === undefined || !this.isProxy(peer)) return peer;
    const named = proxyAddr(req, (address, hops) => this.#isTrusted(withoutPort(address), hops));
    const address = plain(withoutPort(named));
    return isIP(address) ? address : peer;
  }

  isProxy(address: string): boolean {
    return this.#isTrusted(address, 0);
  }
}

/**
 * The key for counting limits: the address, or an IPv6 address's network, since one customer has a whole /64. Undefined
 * when nothing is limited: this machine itself, since an unnamed proxy may run in front, and connections without an
 * address.
 */
export function limitKey(address: string | undefined): string | undefined {
  const text = plain(address);
  if (text === '' || text === '::1' || text.startsWith('127.')) return undefined;
  if (!text.includes(':')) return text;
  return ipaddr.isValid(text) ? ipaddr.parse(text).toByteArray().slice(0, 8).join('.') : text;
}

/** The address, when a proxy writes it with a port: `203.0.113.7:51234`, `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  return isIP(text) ? text : (SocketAddress.parse(text)?.address ?? text);
}

/** An IPv4 address without its prefix on a dual-stack socket. */
function plain(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:/, '');
}
