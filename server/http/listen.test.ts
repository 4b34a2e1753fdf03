import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { onLoopback } from '../testing/on-loopback.ts';
import { listen } from './listen.ts';

const server = () => {
  const made = createServer();
  onTestFinished(() => void made.close());
  return made;
};

test('a port in use is reported with what to do', async () => {
  const other = server();
  const { port } = await onLoopback(other);
  await expect(listen(server(), { port, host: '127.0.0.1' })).rejects.toThrow(
    `Port ${port} is in use by another program: stop it or set PORT to another number.`,
  );
});

test('a port that the user may not use is reported with its own setting', async () => {
  const failing = server();
  failing.listen = () => {
    queueMicrotask(() => failing.emit('error', Object.assign(new Error('listen'), { code: 'EACCES' })));
    return failing;
  };
  await expect(listen(failing, { port: 80, host: '127.0.0.1' }, 'CONSOLE_PORT')).rejects.toThrow(
    'This user is not allowed to use port 80: set CONSOLE_PORT to a number above 1023.',
  );
});

test('an address of another machine is reported as a fault of HOST', async () => {
  // An address reserved for documentation (RFC 5737).
  const fault = listen(server(), { port: 0, host: '192.0.2.1' });
  await expect(fault).rejects.toThrow('HOST 192.0.2.1 is not an address of this machine.');
  await expect(fault).rejects.toHaveProperty('cause.code', 'EADDRNOTAVAIL');
});

// For results that depend on the machine, its user and its name service, the test supplies the system's answer.
test.each([
  ['EACCES', 'This user is not allowed to use port 80: set PORT to a number above 1023.'],
  ['ENOTFOUND', 'HOST inner.example is not an address of this machine.'],
  ['EMFILE', 'The server cannot listen on inner.example, port 80.'],
  [undefined, 'The server cannot listen on inner.example, port 80.'],
])('%s is reported as: %s', async (code, sentence) => {
  const failing = server();
  failing.listen = () => {
    queueMicrotask(() => failing.emit('error', Object.assign(new Error('listen'), code && { code })));
    return failing;
  };
  await expect(listen(failing, { port: 80, host: 'inner.example' })).rejects.toThrow(sentence);
});
