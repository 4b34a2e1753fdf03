import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startBackend } from '../testing/backend-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-start-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a port that is taken is named, with what to do', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const start = startBackend({ DATA_DIR: join(folder, 'port'), CONSOLE_PORT: String(port) });
  await expect(start).rejects.toThrow(`Port ${port} is in use by another program: end that one or set CONSOLE_PORT`);
  other.close();
});

test('a store that is damaged is named, with what to do', async () => {
  writeFileSync(join(folder, 'console.sqlite'), 'no database');
  const start = startBackend({ DATA_DIR: folder });
  await expect(start).rejects.toThrow('console.sqlite cannot be used as a store (file is not a database)');
});
