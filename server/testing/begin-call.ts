import { once } from 'node:events';
import { connect } from 'node:net';

export interface BegunCall {
  /** Sends the rest. @returns the answer as received, or as much of it as was received */
  finish(): Promise<string>;
  leave(): void;
}

const head = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close'];

/** Begins a call whose head the server has read, and which it cannot answer before the rest arrives. */
export async function beginCall(port: number, path: string): Promise<BegunCall> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  // The server's response shows that the head was read.
  const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', ...head, 'Expect: 100-continue'];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  await once(socket, 'data');
  let answer = '';
  socket.on('data', (chunk: string) => (answer += chunk));
  // A server that stops in the middle resets it.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  return {
    async finish() {
      socket.write('{}');
      await closed;
      return answer;
    },
    leave: () => socket.destroy(),
  };
}
