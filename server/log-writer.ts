import { write, writeSync } from 'node:fs';

const chunkBytes = 64 * 1024;
const flushEveryMs = 250;
/** Lines wait in memory while the reader of the log is slow; beyond this they are dropped and counted. */
const maxWaiting = 256;

/**
 * Where log lines go: gathered in chunks and written in the background, since pino's own destination costs four times
 * as much a line under load.
 */
export class LogWriter {
  readonly #fd: number;
  #chunk = Buffer.allocUnsafe(chunkBytes);
  #used = 0;
  #full: Buffer[] = [];
  #writing = false;
  #dropped = 0;

  constructor(fd: number) {
    this.#fd = fd;
    setInterval(() => this.#writeOut(), flushEveryMs).unref();
  }

  /** Takes one line; called by pino. */
  write(line: string): void {
    // A character takes three bytes at most.
    if (line.length * 3 > chunkBytes - this.#used) this.#setAside();
    if (line.length * 3 > chunkBytes) this.#full.push(Buffer.from(line));
    else this.#used += this.#chunk.write(line, this.#used);
    if (this.#full.length > 0) this.#writeNext();
  }

  /** Writes everything that waits before it returns, for the end of the process. */
  flushSync(): void {
    this.#setAside();
    // What is being written is left to the thread that writes it, which finishes before the process ends.
    for (const chunk of this.#full.splice(this.#writing ? 1 : 0)) writeFully(this.#fd, chunk);
  }

  #writeOut(): void {
    if (this.#dropped > 0 && this.#full.length < maxWaiting) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      this.write(
        `{"level":40,"time":"${new Date().toISOString()}","dropped":${dropped},"msg":"log lines were dropped"}\n`,
      );
    }
    if (!this.#writing) this.#setAside();
    this.#writeNext();
  }

  #setAside(): void {
    if (this.#used === 0) return;
    const lines = this.#chunk.subarray(0, this.#used);
    if (this.#full.length < maxWaiting) {
      this.#full.push(lines);
      this.#chunk = Buffer.allocUnsafe(chunkBytes);
    } else this.#dropped += lines.toString('latin1').split('\n').length - 1;
    this.#used = 0;
  }

  #writeNext(): void {
    const chunk = this.#full[0];
    if (this.#writing || !chunk) return;
    this.#writing = true;
    write(this.#fd, chunk, (error, written) => {
      this.#writing = false;
      if (error?.code === 'EAGAIN') return; // the next round tries again
      // After any other error nobody reads the log any more; the site goes on.
      if (error || written === chunk.length) this.#full.shift();
      else this.#full[0] = chunk.subarray(written);
      this.#writeNext();
    });
  }
}

function writeFully(fd: number, chunk: Buffer): void {
  const giveUp = performance.now() + 1000;
  for (let rest = chunk; rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const busy = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!busy || performance.now() > giveUp) return;
    }
  }
}
