import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LogWriter } from './log-writer.ts';

function openFile(): { file: string; fd: number } {
  const file = join(mkdtempSync(join(tmpdir(), 'millrace-log-')), 'log');
  return { file, fd: openSync(file, 'w') };
}

test('every line arrives once, in order, whole, whatever its length', async () => {
  const { file, fd } = openFile();
  const writer = new LogWriter(fd);
  const lines = Array.from(
    { length: 20_000 },
    (_, index) => `${index} ${'é😀'.repeat(index % 97)}${index === 7 ? 'x'.repeat(200_000) : ''}\n`,
  );
  for (const [index, line] of lines.entries()) {
    writer.write(line);
    if (index % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  writer.flushSync();
  // The chunk that was on its way is written by another thread.
  await expect.poll(() => readFileSync(file, 'utf8') === lines.join('')).toBe(true);
  closeSync(fd);
});

test('a reader that is gone does not stop the site', async () => {
  const { fd } = openFile();
  closeSync(fd);
  const writer = new LogWriter(fd);
  for (let count = 0; count < 5_000; count += 1) writer.write(`${'x'.repeat(200)}\n`);
  writer.flushSync();
});
