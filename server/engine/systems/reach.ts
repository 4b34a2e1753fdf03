import { type LookupAddress, lookup } from 'node:dns';
import { lookup as resolve } from 'node:dns/promises';
import { BlockList, isIP, type LookupFunction, Socket, SocketAddress } from 'node:net';
import { networkInterfaces } from 'node:os';
import { EngineError } from '../errors.ts';

/** Which networks a job may connect to; the supervisor passes it through the child process's environment. */
export interface Reach {
  /** `all`: everything that is not forbidden; `public`: only those private networks that are listed. */
  kind: 'all' | 'public';
  /** Addresses and networks, such as 10.20.0.0/16. */
  networks: readonly string[];
  /** `host:port` pairs that no job may connect to: the server's own. */
  forbidden: readonly string[];
}

/** What the supervisor set in the environment; without it, as in tests, everything is allowed. */
export function reachOf(env: Readonly<Record<string, string | undefined>>): Reach {
  const list = (text: string | undefined) => (text ?? '').split(',').filter(Boolean);
  return {
    kind: env.ENGINE_REACH === 'public' ? 'public' : 'all',
    networks: list(env.ENGINE_NETWORKS),
    forbidden: list(env.ENGINE_FORBIDDEN),
  };
}

/** Where clouds return credentials to any client on the inside. */
const metadata = blockList(['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254']);
/** Everything that is not a public address (IANA's special-purpose registries). */
const notPublic = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/128',
  '::1/128',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]);

/** Addresses that lead to this machine on any network; connecting to an unspecified address connects here. */
const loopback = blockList(['127.0.0.0/8', '0.0.0.0/8', '::1', '::']);

/** Whether a job may connect to an address. @param own the addresses of this machine */
export function mayReach(reach: Reach, address: string, port: number, own = ownAddresses()): boolean {
  const plain = plainAddress(address);
  if (isIn(metadata, plain)) return false;
  if (isForbidden(reach, plain, port, own)) return false;
  return reach.kind === 'all' || !isIn(notPublic, plain) || isIn(blockList(reach.networks), plain);
}

/** With limited reach, no socket of this machine is allowed; the socket of the server's own store never is. */
function mayReachSocket(reach: Reach, port: number): boolean {
  return reach.kind === 'all' && !isForbidden(reach, '127.0.0.1', port, ownAddresses());
}

/** The server's own ports are forbidden under every name and address of this machine. */
function isForbidden({ forbidden }: Reach, address: string, port: number, own: readonly string[]): boolean {
  const isHere = (host: string) => host === 'localhost' || isIn(loopback, host) || own.includes(host);
  return forbidden.some((one) => {
    const [, host = '', number] = /^(.*):(\d+)$/.exec(one) ?? [];
    const name = plainAddress(host.replace(/^\[|\]$/g, ''));
    return Number(number) === port && (name === address || (isHere(name) && isHere(address)));
  });
}

/** The canonical spelling of an address: `::ffff:7f00:1` is 127.0.0.1; names are unchanged. */
function plainAddress(host: string): string {
  const [address = ''] = host.toLowerCase().split('%');
  if (isIP(address) !== 6) return address;
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '');
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => plainAddress(address)));
}

/** A socket that connects only to allowed addresses, whatever a name resolves to. */
export function reachSocket(reach: Reach, side: 'source' | 'target', findAddresses = addressesOf): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  const refuse = () => socket.destroy(new EngineError('NETWORK_NOT_ALLOWED', { side }));
  const guarded = (port: number | string, host = 'localhost') => {
    // A local PostgreSQL socket leads to the same server as its port.
    const path = typeof port === 'string' ? port : undefined;
    const number = typeof port === 'string' ? Number(/\.s\.PGSQL\.(\d+)$/.exec(port)?.[1]) : port;
    withAddresses(reach, number, findAddresses).then(
      (resolved) => {
        if (socket.destroyed) return;
        if (path !== undefined) return void (mayReachSocket(resolved, number) ? connect({ path }) : refuse());
        if (isIP(host) !== 0 && !mayReach(resolved, host, number)) return void refuse();
        connect({ port: number, host, lookup: guardedLookup(resolved, number, side) });
      },
      (error: unknown) => socket.destroy(error instanceof Error ? error : undefined),
    );
    return socket;
  };
  return Object.assign(socket, { connect: guarded });
}

/** What a name resolves to; an empty list for a name without an address. */
async function addressesOf(name: string): Promise<string[]> {
  const found = await resolve(name, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Adds the current addresses of a port's forbidden names. */
async function withAddresses(reach: Reach, port: number, findAddresses = addressesOf): Promise<Reach> {
  const names = reach.forbidden
    .filter((one) => one.endsWith(`:${port}`))
    .map((one) => one.slice(0, -`:${port}`.length));
  const found = await Promise.all(names.map((name) => findAddresses(name.replace(/^\[|\]$/g, ''))));
  return { ...reach, forbidden: [...reach.forbidden, ...found.flat().map((address) => `${address}:${port}`)] };
}

/** Resolves a name to its allowed addresses; an error if there are none. */
function guardedLookup(reach: Reach, port: number, side: 'source' | 'target'): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[] = []) => {
      if (error) return callback(error, '');
      const allowed = addresses.filter(({ address }) => mayReach(reach, address, port));
      const [first] = allowed;
      if (!first) return callback(new EngineError('NETWORK_NOT_ALLOWED', { side }), '');
      if (options.all) return callback(null, allowed);
      callback(null, first.address, first.family);
    });
  };
}

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
