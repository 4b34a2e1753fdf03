import type { Writable } from 'node:stream';

const maxWaitMs = 100;
const batchLength = 16 * 1024;
const maxWaitingBytes = 8 * 1024 * 1024;

/**
 * Writes log lines to a stream in batches, in order. While the reader is slow they wait in memory up to a limit; lines
 * beyond it are dropped and counted, and a line of its own reports their number once the reader has caught up.
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
    // A reader that is gone or a full disk must not stop the site: the lost lines are counted in #flush.
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

  /** Resolves once all lines are written, or after `limitMs`: a stalled reader must not keep the process alive. */
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
    // A failed write may have stopped in the middle of a line.
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
