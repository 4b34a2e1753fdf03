import type { Writable } from 'node:stream';

const maxWaitMs = 100;
const batchLength = 16 * 1024;
const maxWaitingBytes = 8 * 1024 * 1024;

/**
 * Log lines on their way to a stream: gathered into batches, in order. While the reader is slow they wait in memory;
 * what is beyond that is dropped, counted, and told in a line of its own once the reader has caught up.
 */
export class LogWriter {
  readonly #out: Writable;
  readonly #maxWaitingBytes: number;
  #batch = '';
  #lines = 0;
  #dropped = 0;
  #full = false;
  #failed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(out: Writable, maxBytes = maxWaitingBytes) {
    this.#out = out;
    this.#maxWaitingBytes = maxBytes;
    out.on('drain', () => {
      this.#full = false;
      if (this.#dropped > 0) this.#flushLater();
    });
    // A reader that is gone or a disk that is full must not end the site: the lost lines are counted in #flush.
    out.on('error', () => {
      this.#full = false;
    });
  }

  /** Takes one line; called by pino. */
  write(line: string): void {
    this.#full ||= this.#out.writableLength > this.#maxWaitingBytes;
    if (this.#full) {
      this.#dropped += 1;
      return;
    }
    this.#batch += line;
    this.#lines += 1;
    if (this.#batch.length >= batchLength) this.#flush();
    else this.#flushLater();
  }

  /** Resolves once all lines are written, or after `limitMs`: a reader that stopped must not keep the process. */
  close(limitMs: number): Promise<void> {
    this.#flush();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, limitMs);
      this.#out.write('', () => {
        clearTimeout(late);
        resolve();
      });
    });
  }

  #flushLater(): void {
    this.#timer ??= setTimeout(() => this.#flush(), maxWaitMs).unref();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const dropped = this.#dropped;
    const lines = this.#lines;
    // A write that failed may have ended within a line.
    const start = this.#failed ? '\n' : '';
    const batch = dropped > 0 ? start + lineAbout(dropped) + this.#batch : this.#batch;
    if (batch === '') return;
    this.#dropped = 0;
    this.#failed = false;
    this.#lines = 0;
    this.#batch = '';
    this.#out.write(Buffer.from(batch), (error) => {
      if (!error) return;
      this.#failed = true;
      this.#dropped += dropped + lines;
    });
  }
}

function lineAbout(dropped: number): string {
  return `{"level":40,"time":"${new Date().toISOString()}","dropped":${dropped},"msg":"log lines were dropped"}\n`;
}
