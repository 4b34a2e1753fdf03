import type { Server } from 'node:http';
import { connect } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { patience } from './patience.ts';

/** Sends raw bytes on a new connection and resolves with everything received until the server closes it. */
export function sendRaw(port: number, bytes: string | Buffer, limitMs = patience.timeout): Promise<string> {
  return exchange(connect(port, '127.0.0.1'), bytes, limitMs);
}

/** The same within the process, since a short connection spends most of its time in the network stack. */
export function sendInProcess(server: Server, bytes: string | Buffer, limitMs = patience.timeout): Promise<string> {
  const [client, served] = duplexPair();
  server.emit('connection', served);
  return exchange(client, bytes, limitMs);
}

function exchange(socket: Duplex, bytes: string | Buffer, limitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No end of the answer after ${limitMs} ms: ${bytes.toString('latin1').slice(0, 200)}`));
    }, limitMs);
    const finish = () => {
      clearTimeout(late);
      socket.destroy();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A reset is an answer too: the server may close before it has read everything.
    socket.on('error', () => undefined);
    socket.once('end', finish);
    socket.once('close', finish);
    socket.write(bytes);
  });
}

/** The first answer's status; 0 when the connection was closed without one. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(answer)?.[1] ?? 0);
}
