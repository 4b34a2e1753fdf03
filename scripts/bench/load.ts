import { connect, type Socket } from 'node:net';

/** One connection that sends the next request as soon as it has a response. */
class Asker {
  answers = 0;
  readonly #socket: Socket;
  readonly #request: string;
  #head = '';
  #missing = 0;

  constructor(port: number, request: string, failed: (error: Error) => void) {
    this.#request = request;
    this.#socket = connect(port, '127.0.0.1', () => this.#ask());
    this.#socket.on('data', (chunk) => this.#take(chunk));
    this.#socket.on('error', failed);
    this.#socket.on('end', () => failed(new Error('The server closed a connection.')));
  }

  close(): void {
    this.#socket.removeAllListeners('end');
    this.#socket.destroy();
  }

  #ask(): void {
    this.#socket.write(this.#request);
  }

  #take(chunk: Buffer): void {
    let rest = chunk.length;
    if (this.#missing === 0) {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return;
      if (!this.#head.startsWith('HTTP/1.1 200')) throw new Error(this.#head.slice(0, 80));
      const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1];
      rest = this.#head.length - end - 4;
      this.#missing = Number(length);
      this.#head = '';
    }
    this.#missing -= rest;
    if (this.#missing > 0) return;
    this.answers += 1;
    this.#ask();
  }
}

/** Answers a second that a server gives to `connections` clients over `ms` milliseconds. */
export async function answersPerSecond(
  port: number,
  path: string,
  connections: number,
  ms: number,
  headers = '',
): Promise<number> {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\nUser-Agent: bench\r\nAccept: text/html\r\n${headers}\r\n`;
  return new Promise((resolve, reject) => {
    const askers = Array.from({ length: connections }, () => new Asker(port, request, reject));
    const startedAt = performance.now();
    setTimeout(() => {
      const seconds = (performance.now() - startedAt) / 1000;
      const answers = askers.reduce((sum, asker) => sum + asker.answers, 0);
      for (const asker of askers) asker.close();
      resolve(answers / seconds);
    }, ms);
  });
}
