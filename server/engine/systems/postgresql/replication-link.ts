import type { Duplex } from 'node:stream';
import type pg from 'pg';
import { EngineError } from '../../errors.ts';
import { engineError } from './errors.ts';
import { type LogMessage, PgOutput } from './pgoutput.ts';

/** What arrived over the link, in order. */
export type LinkMessage = LogMessage | { kind: 'keepalive'; end: bigint };

export interface LinkOptions {
  /** START_REPLICATION …, for a walsender. */
  statement: string;
  /** How often we report to the server, in milliseconds; less than half of its wal_sender_timeout. */
  statusMs: number;
  patience: Patience;
  /** Everything before this position is at the target. */
  acknowledged(): bigint;
}

/** How long to wait for either side, in milliseconds; a server that is shutting down waits for its readers. */
export interface Patience {
  /** While the server, which is asked continually, answers nothing. */
  silence: number;
  /** While the socket is paused, before the connection is closed for the time being. */
  pause: number;
  /** While the server is shutting down, before we disconnect. */
  stop: number;
}

/** Bytes that may wait to be read before the socket is paused. */
const mostWaiting = 2 ** 20;
/** How long the server may take to end the stream when we leave, in milliseconds. */
const longestGoodbye = 1_000;

/** Microseconds from 1970 to 2000, PostgreSQL's epoch. */
const epochOfPostgres = 946_684_800_000_000n;

/** One replication connection: receives messages only as fast as they are taken, and reports what was acknowledged. */
export class ReplicationLink implements pg.Submittable {
  readonly #session: pg.Client;
  readonly #options: LinkOptions;
  readonly #decoder = new PgOutput();
  #socket: Duplex | undefined;
  #waiting: LinkMessage[] = [];
  #bytes = 0;
  #failure: EngineError | undefined;
  #wake = Promise.withResolvers<void>();
  #timer: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;
  #stop: NodeJS.Timeout | undefined;
  #silence: NodeJS.Timeout | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #closing = false;
  #ended = Promise.withResolvers<void>();
  /** The link was closed because its messages were not taken; it can be reopened where they end. */
  isAbandoned = false;

  constructor(session: pg.Client, options: LinkOptions) {
    this.#session = session;
    this.#options = options;
  }

  /** @throws EngineError if the server refuses */
  async start(): Promise<void> {
    this.#silence = setTimeout(() => this.#giveUp(), this.#options.patience.silence);
    const started = new Promise<void>((resolve) => this.#session.connection.once('replicationStart', resolve));
    this.#session.query(this);
    await Promise.race([started, this.#ended.promise]);
    if (this.#failure) throw this.#failure;
    this.#silence.refresh();
    this.#timer = setInterval(() => this.#tell(), this.#options.statusMs);
    this.#tell();
  }

  /**
   * What arrived since the last call; waits for the first message.
   * @returns an empty list if we closed the link
   * @throws EngineError once everything that arrived before it was taken
   */
  async take(): Promise<LinkMessage[]> {
    while (this.#waiting.length === 0) {
      if (this.#closing || this.isAbandoned) return [];
      if (this.#failure) throw this.#failure;
      await this.#wake.promise;
    }
    const messages = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    this.#resume();
    return messages;
  }

  /** Something was acknowledged; a server that is shutting down may be waiting for it. */
  acknowledged(): void {
    if (this.#stop) this.#tell();
  }

  /** Reports what was acknowledged, and closes the connection. */
  async close(): Promise<void> {
    if (!this.#closing && !this.#failure && !this.isAbandoned) {
      this.#closing = true;
      this.#tell();
      this.#socket?.write(frame('c', Buffer.alloc(0)));
      this.#waiting = [];
      this.#resume();
      const patience = setTimeout(() => this.#ended.resolve(), longestGoodbye);
      await this.#ended.promise;
      clearTimeout(patience);
    }
    this.#finish();
    await this.#session.end();
  }

  // Called by pg.

  submit(connection: pg.Connection): void {
    this.#socket = connection.stream;
    connection.query(this.#options.statement);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#closing || this.#failure) return;
    this.#silence?.refresh();
    try {
      this.#receive(chunk);
    } catch (error) {
      this.handleError(error);
    }
  }

  handleError(error: unknown): void {
    if (!this.#closing && !this.isAbandoned) this.#failure ??= engineError(error, { side: 'source' });
    this.#finish();
  }

  handleCommandComplete(): void {
    // The server has sent everything and ends the stream.
    if (!this.#closing) this.#failure ??= new EngineError('SERVER_SHUTTING_DOWN', { side: 'source' });
  }

  handleReadyForQuery(): void {
    this.#ended.resolve();
  }

  #receive(chunk: Buffer): void {
    // w: 24 bytes of positions and time, then a plugin message. k: WAL end, time, whether a reply is requested.
    if (chunk[0] === 0x77) {
      const message = this.#decoder.read(chunk.subarray(25));
      if (message) this.#waiting.push(message);
    } else if (chunk[0] === 0x6b) {
      this.#waiting.push({ kind: 'keepalive', end: chunk.readBigUInt64BE(1) });
      if (chunk[17] === 1) this.#answer();
    }
    this.#bytes += chunk.length;
    if (this.#bytes > mostWaiting) this.#holdBack();
    this.#notify();
  }

  /** A server that asks again at once is shutting down, and stops once everything is acknowledged. */
  #answer(): void {
    const now = performance.now();
    if (now - this.#answeredAt > Math.min(1_000, this.#options.statusMs)) {
      this.#answeredAt = now;
      this.#tell();
    } else
      this.#stop ??= setTimeout(
        () => this.handleError(new EngineError('SERVER_SHUTTING_DOWN', { side: 'source' })),
        this.#options.patience.stop,
      );
  }

  #holdBack(): void {
    this.#socket?.pause();
    this.#pause ??= setTimeout(() => {
      this.isAbandoned = true;
      this.#finish();
    }, this.#options.patience.pause);
  }

  #resume(): void {
    clearTimeout(this.#pause);
    this.#pause = undefined;
    this.#silence?.refresh();
    this.#socket?.resume();
  }

  /** A peer may keep its connection open but stay silent. */
  #giveUp(): void {
    // While we hold the socket back ourselves, nothing can be received.
    if (!this.#pause) this.handleError(new EngineError('CONNECTION_TIMED_OUT', { side: 'source' }));
  }

  /** Written, flushed and applied are the same position: what the target holds. */
  #tell(): void {
    const position = this.#options.acknowledged();
    const status = Buffer.alloc(34);
    status.write('r');
    for (const place of [1, 9, 17]) status.writeBigUInt64BE(position, place);
    status.writeBigInt64BE(BigInt(Date.now()) * 1000n - epochOfPostgres, 25);
    // Requests a keep-alive.
    status.writeUInt8(1, 33);
    if (this.#socket?.writable) this.#socket.write(frame('d', status));
  }

  #finish(): void {
    clearInterval(this.#timer);
    clearTimeout(this.#pause);
    clearTimeout(this.#stop);
    clearTimeout(this.#silence);
    this.#silence = undefined;
    this.#session.connection.stream.destroy();
    this.#ended.resolve();
    this.#notify();
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}

function frame(kind: string, payload: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(kind);
  header.writeUInt32BE(payload.length + 4, 1);
  return Buffer.concat([header, payload]);
}
