import type pg from 'pg';
import { isBinaryRow, trailer } from './copy-binary.ts';
import { noTimeout } from './without-limit.ts';

/** Bytes per piece; a larger row is a piece of its own. */
const pieceBytes = 256 * 1024;

/** What COPY printed. */
export interface CopiedOut {
  pieces: Buffer[];
  rows: number;
  bytes: number;
  /** The last row, as it was sent. */
  last: Buffer | undefined;
  /**
   * Whether rows were cut off because of their size; the session is then closed, since the server would go on printing.
   */
  isCut: boolean;
}

/**
 * Receives a query's rows as COPY prints them: the first one in any case, further ones up to a number of bytes.
 * @throws the server's error if it refuses the query
 */
export async function copyOut(
  session: pg.ClientBase,
  query: string,
  mostBytes: number,
  isBinary: boolean,
): Promise<CopiedOut> {
  const copying = new CopyOut(query, mostBytes, isBinary);
  session.query(copying);
  return await copying.done;
}

class CopyOut implements pg.Submittable {
  readonly #statement: string;
  readonly #mostBytes: number;
  readonly #isBinary: boolean;
  readonly #end = Promise.withResolvers<CopiedOut>();
  readonly #out: CopiedOut = { pieces: [], rows: 0, bytes: 0, last: undefined, isCut: false };
  #piece = Buffer.alloc(0);
  #at = 0;
  #connection: pg.Connection | undefined;
  /** For pg: it may look through rows for long before one meets a filter. */
  readonly query_timeout = noTimeout;
  /** pg wraps its timeout around this. */
  callback: () => void = () => undefined;

  constructor(query: string, mostBytes: number, isBinary: boolean) {
    this.#statement = `COPY (${query}) TO STDOUT (FORMAT ${isBinary ? 'binary' : 'text'})`;
    this.#mostBytes = mostBytes;
    this.#isBinary = isBinary;
  }

  get done(): Promise<CopiedOut> {
    return this.#end.promise;
  }

  // Called by pg.

  submit(connection: pg.Connection): void {
    this.#connection = connection;
    // This way the server accepts only one statement.
    connection.parse({ name: '', text: this.#statement, types: [] }, true);
    connection.bind({}, true);
    connection.execute(null, true);
    connection.sync();
  }

  /** One row, or the end of a binary print. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    const out = this.#out;
    if (out.isCut) return;
    if (out.rows > 0 && out.bytes + chunk.length > this.#mostBytes) {
      this.#cut();
      return;
    }
    if (this.#at + chunk.length > this.#piece.length) {
      this.#seal();
      this.#piece = Buffer.allocUnsafeSlow(Math.max(pieceBytes, chunk.length));
    }
    chunk.copy(this.#piece, this.#at);
    if (!this.#isBinary || isBinaryRow(chunk, out.rows)) {
      out.last = this.#piece.subarray(this.#at, this.#at + chunk.length);
      out.rows++;
    }
    this.#at += chunk.length;
    out.bytes += chunk.length;
  }

  handleCommandComplete(): void {
    this.#seal();
  }

  handleReadyForQuery(): void {
    this.callback();
    this.#end.resolve(this.#out);
  }

  handleError(error: unknown): void {
    this.callback();
    this.#end.reject(error);
  }

  #cut(): void {
    this.#out.isCut = true;
    this.#seal();
    if (this.#isBinary) this.#out.pieces.push(trailer);
    this.callback();
    this.#end.resolve(this.#out);
    this.#connection?.stream.destroy();
  }

  #seal(): void {
    if (this.#at > 0) this.#out.pieces.push(this.#piece.subarray(0, this.#at));
    this.#piece = Buffer.alloc(0);
    this.#at = 0;
  }
}
