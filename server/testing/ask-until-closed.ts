import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Repeats a request on one connection until the server closes it.
 * @returns also whether the last request that was begun was `unanswered`
 * @param body turns it into a call
 */
export function askUntilClosed(port: number, path: string, body?: string) {
  const first = Promise.withResolvers<void>();
  const closed = new Promise<{ answers: number; statuses: Set<string>; unanswered: boolean }>((resolve) => {
    const request =
      body === undefined
        ? `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
        : `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let answers = 0;
    const statuses = new Set<string>();
    let text = '';
    let isUnanswered = true;
    socket.on('data', async (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
      if (end < 0 || text.length < end + 4 + length) return;
      answers += 1;
      statuses.add(text.split(' ', 2)[1] ?? '');
      first.resolve();
      isUnanswered = false;
      const saidClose = /\r\nconnection: close/i.test(text.slice(0, end));
      text = '';
      // A server closes a connection whose client stood still for seconds: nothing is begun on that one.
      await nextTurn();
      await nextTurn();
      if (saidClose || !socket.writable || socket.readableEnded) return;
      isUnanswered = true;
      socket.write(request);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ answers, statuses, unanswered: isUnanswered }));
  });
  return { first: first.promise, closed };
}
