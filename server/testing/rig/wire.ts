import { connect, createServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { inspect } from 'node:util';
import { onLoopback } from '../on-loopback.ts';
import { type Message, Messages } from './messages.ts';

/** A message's fate: it passes, it is silently lost, or its connection is cut before it. */
export type Verdict = 'pass' | 'lose' | 'cut';

/** A message on its way. */
export interface Passing {
  from: 'job' | 'server';
  connection: object;
  message: Message;
}

/** Decides about every message; what follows it in its direction waits for the verdict. */
export type Gate = (passing: Passing) => Verdict | Promise<Verdict>;

/** A proxy to a PostgreSQL server that can hold, delay or lose every message. */
export interface Wire {
  port: number;
  /** How long a connection's data is delayed, in milliseconds. */
  delayMs: number;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** One direction of a connection. */
interface Direction extends Omit<Passing, 'message'> {
  messages: Messages;
  gate: Gate;
}

/** @param onEnd is called for each connection that has ended */
export async function startWire(
  { host, port }: { host: string; port: number },
  gate: Gate,
  onEnd?: (connection: object) => void,
): Promise<Wire> {
  const open = new Set<() => void>();
  const server = createServer((client) => {
    const served = connect({ host, port });
    const connection = {};
    const end = () => {
      open.delete(end);
      client.destroy();
      served.destroy();
      onEnd?.(connection);
    };
    open.add(end);
    for (const socket of [client, served]) socket.on('error', end);
    const carry = async (from: Passing['from'], source: Socket, target: Socket) => {
      const direction = { from, connection, gate, messages: new Messages(from === 'server') };
      await pipeline(source, (chunks: AsyncIterable<Buffer>) => pass(chunks, direction, wire), target);
    };
    // However a connection ends, both of its sides end.
    void carry('job', client, served).catch(tellOwn).finally(end);
    void carry('server', served, client).catch(tellOwn).finally(end);
  });
  const { port: own, close } = await onLoopback(server);
  const cut = () => {
    for (const end of [...open]) end();
  };
  const wire: Wire = {
    port: own,
    delayMs: 0,
    cut,
    async close() {
      cut();
      await close();
    },
  };
  return wire;
}

/** A connection that a gate has cut. */
class Cut extends Error {}

/** Connections end with system errors, and this wire ends with one of its own, which looks the same to a job. */
function tellOwn(error: unknown): void {
  const isOfConnection = error instanceof Cut || (error instanceof Error && 'code' in error);
  if (!isOfConnection) process.stderr.write(`The wire between a job and its server failed: ${inspect(error)}\n`);
}

/** What passes in one direction. @throws when the connection must be cut */
async function* pass(
  chunks: AsyncIterable<Buffer>,
  direction: Direction,
  wire: Pick<Wire, 'delayMs'>,
): AsyncGenerator<Buffer> {
  let delayedAt = 0;
  for await (const chunk of chunks) {
    // What arrived while an earlier piece was delayed passes with it.
    if (performance.now() - delayedAt > wire.delayMs && wire.delayMs > 0) {
      await wait(wire.delayMs);
      delayedAt = performance.now();
    }
    yield* decided(chunk, direction);
  }
}

/** Messages that pass, together up to the first one that is held. */
async function* decided(chunk: Buffer, { messages, gate, from, connection }: Direction): AsyncGenerator<Buffer> {
  let ready: Buffer[] = [];
  for (const message of messages.take(chunk)) {
    const verdict = gate({ from, connection, message });
    if (verdict instanceof Promise) {
      yield Buffer.concat(ready);
      ready = [];
    }
    const known = verdict instanceof Promise ? await verdict : verdict;
    if (known === 'cut') throw new Cut();
    if (known === 'pass') ready.push(message.bytes);
  }
  yield Buffer.concat(ready);
}
