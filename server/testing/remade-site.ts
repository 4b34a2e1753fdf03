import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { z } from 'zod';

const started = z.object({ port: z.number() });
const measured = z.object({ bytes: z.number() });

/** A request, by what is sent and when its client disconnects. */
export interface Shot {
  method?: 'GET' | 'POST';
  path: string;
  body?: string;
  /** The body's media type; JSON by default. */
  type?: string;
  /** As soon as the request is written, or the answer has begun. */
  leaves?: 'at once' | 'amid the answer';
}

/** The real site in a separate process that recreates every page; see remade-site-process.ts. */
export class RemadeSite {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#port = port;
  }

  static async start(env: Record<string, string>): Promise<RemadeSite> {
    const child = fork(join(import.meta.dirname, 'remade-site-process.ts'), {
      execArgv: ['--expose-gc'],
      env: { ...process.env, ...env, NODE_ENV: 'production' },
    });
    const [message] = await once(child, 'message');
    return new RemadeSite(child, started.parse(message).port);
  }

  /** Bytes in use on the heap and in buffers, after a forced collection. */
  async bytes(): Promise<number> {
    this.#child.send('bytes');
    const [message] = await once(this.#child, 'message');
    return measured.parse(message).bytes;
  }

  /** Sends `count` requests over eight connections. @returns how often each status was the answer */
  async fire(count: number, shot: (index: number) => Shot): Promise<Record<string, number>> {
    const outcomes: Record<string, number> = {};
    let sent = 0;
    const client = async () => {
      while (sent < count) {
        sent += 1;
        const outcome = await this.#send(shot(sent));
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    return outcomes;
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }

  #send({ method = 'GET', path, body, type = 'application/json', leaves }: Shot): Promise<string> {
    return new Promise((resolve) => {
      const headers = body === undefined ? {} : { 'Content-Type': type };
      const call = request({ agent: this.#agent, port: this.#port, host: '127.0.0.1', method, path, headers });
      call.on('response', (response) => {
        if (leaves) response.once('data', () => call.destroy()).once('close', () => resolve('gone'));
        else response.resume().once('end', () => resolve(String(response.statusCode)));
      });
      call.on('error', () => resolve('gone'));
      call.end(body);
      if (leaves === 'at once') call.once('finish', () => setImmediate(() => call.destroy()));
    });
  }
}
