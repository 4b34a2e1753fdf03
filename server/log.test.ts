import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { openLog } from './log.ts';
import { LogWriter } from './log-writer.ts';

const parsedLine = z.looseObject({ level: z.number(), time: z.string() });

/** The lines of a log; throws when one is incomplete. */
function linesOf(log: string) {
  const lines = log.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => parsedLine.parse(JSON.parse(line)));
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

type Done = (error: Error | null | undefined) => void;

/** A reader that accepts nothing until it is resumed; it can also fail. */
class Reader extends Writable {
  taken = '';
  #stopped = false;
  #failing = false;
  #goOn: (() => void) | undefined;

  constructor() {
    super({ autoDestroy: false, emitClose: false });
  }

  stop(): void {
    this.#stopped = true;
  }

  resume(): void {
    this.#stopped = false;
    this.#goOn?.();
  }

  /** Like standard output, which stays usable after an error. */
  fail(failing: boolean): void {
    this.#failing = failing;
  }

  override write(chunk: string | Buffer, encoding?: BufferEncoding | Done, done?: Done): boolean {
    const told = typeof encoding === 'function' ? encoding : done;
    if (!this.#failing) return super.write(chunk, told);
    const error = new Error('ENOSPC');
    this.taken += '{"level":3';
    queueMicrotask(() => {
      told?.(error);
      this.emit('error', error);
    });
    return false;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const take = () => {
      this.taken += chunk;
      setImmediate(done);
    };
    if (this.#stopped) this.#goOn = take;
    else take();
  }
}

test('a line is JSON with level, time and message', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 2, 1, 9, 30, 5, 250) });
  onTestFinished(() => void vi.useRealTimers());
  const out = new PassThrough();
  const { log, close } = openLog('info', false, out);
  log.info({ pages: 7 }, 'listening');
  log.debug('not at this level');
  vi.setSystemTime(Date.UTC(2026, 2, 1, 9, 30, 5, 251));
  log.error({ err: new Error('why') }, 'failed');
  await close();
  out.end();
  expect(linesOf(await text(out))).toEqual([
    { level: 30, time: '2026-03-01T09:30:05.250Z', pages: 7, msg: 'listening' },
    { level: 50, time: '2026-03-01T09:30:05.251Z', err: expect.objectContaining({ message: 'why' }), msg: 'failed' },
  ]);
});

test('an error is logged without its bytes, and so are the errors inside it', async () => {
  const bytes = Buffer.from('Set-Cookie: session=canary');
  const broken = () => Object.assign(new Error('Parse Error'), { code: 'HPE_INVALID_CONSTANT', rawPacket: bytes });
  const out = new PassThrough();
  const { log, close } = openLog('info', false, out);
  log.error(broken(), 'itself');
  log.error({ err: new Error('outer', { cause: broken() }) }, 'a cause');
  log.error({ err: Object.assign(new Error('outer'), { reason: broken(), cause: broken() }) }, 'a field');
  log.error({ err: new AggregateError([broken(), 'text'], 'all') }, 'a list');
  log.error({ err: Object.assign(new Error('outer'), { packet: new Uint8Array(bytes) }) }, 'of another name');
  log.error({ err: 'no error' }, 'no error');
  await close();
  out.end();
  const written = await text(out);
  expect(written).not.toMatch(/rawPacket|packet|canary/);
  expect(written).not.toContain(bytes.join(','));
  const told = { code: 'HPE_INVALID_CONSTANT', message: 'Parse Error', type: 'Error', stack: expect.any(String) };
  expect(linesOf(written).map(({ err }) => err)).toEqual([
    told,
    expect.objectContaining({ message: 'outer: Parse Error' }),
    expect.objectContaining({ reason: told }),
    expect.objectContaining({ aggregateErrors: [told, 'text'] }),
    { type: 'Error', message: 'outer', stack: expect.any(String) },
    'no error',
  ]);
});

test('a line waits at most 100 ms, even if others follow', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const out = new Reader();
  const writer = new LogWriter(out);
  writer.write('first\n');
  vi.advanceTimersByTime(60);
  writer.write('second\n');
  expect(out.taken).toBe('');
  vi.advanceTimersByTime(40);
  expect(out.taken).toBe('first\nsecond\n');
});

test('under load, lines are written at once', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const out = new Reader();
  const writer = new LogWriter(out);
  writer.write(`${'x'.repeat(40_000)}\n`);
  expect(out.taken).toHaveLength(40_001);
});

describe('while no pool thread is free', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-log-'));
  const fifo = join(folder, 'fifo');
  let held: Promise<FileHandle[]>;
  beforeAll(() => {
    execFileSync('mkfifo', [fifo]);
    // Opening it for reading occupies a thread until another process opens it for writing.
    held = Promise.all(numbers(8).map(() => open(fifo, 'r')));
  });
  afterAll(async () => {
    const writer = openSync(fifo, constants.O_RDWR);
    for (const reader of await held) await reader.close();
    closeSync(writer);
  });

  test('in 200 rounds every line arrives once, whole and in order', async () => {
    const path = join(folder, 'socket');
    const server = createServer().listen(path);
    onTestFinished(() => void server.close());
    for (const round of numbers(200)) {
      const accepted = once(server, 'connection');
      const reader = connect(path);
      const read = text(reader);
      const [out]: Socket[] = await accepted;
      const { log, close } = openLog('info', false, out);
      for (const line of numbers(100)) {
        log.info({ line }, 'é😀'.repeat((line * 7 + round) % 97));
        if (line % 20 === 0) await turn();
      }
      await close();
      out?.end();
      expect(linesOf(await read).map(({ line }) => line)).toEqual(numbers(100));
    }
  });
});

/** Time limit for something that must end: longer than any machine needs. */
const limitMs = 60_000;

describe('a reader', () => {
  test('that is slow gets every line, in order', async () => {
    const out = new Reader();
    const { log, close } = openLog('info', false, out);
    for (const line of numbers(5_000)) {
      log.info({ line }, 'x'.repeat(line % 300));
      if (line % 1_000 === 0) await turn();
    }
    await close();
    expect(linesOf(out.taken).map(({ line }) => line)).toEqual(numbers(5_000));
  });

  test('that stops loses a limited number of lines, whose number is logged when it resumes', async () => {
    const limit = 100_000;
    const out = new Reader();
    const writer = new LogWriter(out, limit);
    out.stop();
    const lines = numbers(5_000).map((line) => `${JSON.stringify({ level: 30, time: '', line })}${' '.repeat(90)}\n`);
    for (const line of lines) writer.write(line);
    expect(out.writableLength).toBeGreaterThan(limit);
    expect(out.writableLength).toBeLessThan(limit * 1.5);
    const drained = once(out, 'drain');
    out.resume();
    await drained;
    writer.write('{"level":30,"time":"","line":"after"}\n');
    await writer.close(limitMs);
    const told = linesOf(out.taken);
    const kept = told.filter(({ line }) => typeof line === 'number').map(({ line }) => line);
    expect(kept).toEqual(numbers(kept.length));
    expect(told.slice(kept.length)).toEqual([
      expect.objectContaining({ level: 40, dropped: 5_000 - kept.length, msg: 'log lines were dropped' }),
      expect.objectContaining({ line: 'after' }),
    ]);
  });

  test('that resumes gets the number of lost lines even if no line follows', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const out = new Reader();
    const writer = new LogWriter(out, 100_000);
    out.stop();
    for (const _ of numbers(5)) writer.write(`${'x'.repeat(60_000)}\n`);
    const drained = once(out, 'drain');
    out.resume();
    await drained;
    expect(out.taken).not.toContain('dropped');
    vi.advanceTimersByTime(100);
    expect(out.taken).toContain('"dropped":3');
  });

  test('that stops for good does not delay the exit', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const out = new Reader();
    out.stop();
    const { log, close } = openLog('info', false, out);
    log.info('never read');
    const closed = close();
    await vi.advanceTimersByTimeAsync(500);
    await closed;
    expect(out.taken).toBe('');
  });

  test('that fails for a while loses the lines of that time, whose number is logged', async () => {
    const out = new Reader();
    const writer = new LogWriter(out);
    const write = async (line: number) => {
      writer.write(`${JSON.stringify({ level: 30, time: '', line })}\n`);
      await writer.close(limitMs);
      await turn();
    };
    await write(0);
    out.fail(true);
    await write(1);
    await write(2);
    out.fail(false);
    await write(3);
    const [first, ...later] = out.taken.split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ line: 0 });
    expect(linesOf(later.slice(1).join('\n'))).toEqual([
      expect.objectContaining({ level: 40, dropped: 2 }),
      expect.objectContaining({ line: 3 }),
    ]);
  });
});

describe('standard output', () => {
  /** More lines than fit into a pipe and the memory limit. */
  const many = 40_000;

  function startProcess(lines: number) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'testing/log-process.ts'), String(lines)], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const { stdout } = child;
    if (!stdout) throw new Error('The process has no output.');
    return { stdout, written: once(child, 'message'), ended: once(child, 'exit') };
  }

  test('that no one reads delays neither the event loop nor the exit', async () => {
    const { stdout, written, ended } = startProcess(many);
    // A listener that reads nothing: without one, Node reads and discards what is left on exit.
    stdout.on('readable', () => undefined);
    await written;
    expect(await ended).toEqual([0, null]);
    const read = await text(stdout);
    const kept = linesOf(read.slice(0, read.lastIndexOf('\n') + 1));
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.map(({ line }) => line)).toEqual(numbers(kept.length));
  });

  test('whose reader is gone does not end the process', async () => {
    const { stdout, written, ended } = startProcess(many);
    stdout.destroy();
    await written;
    expect(await ended).toEqual([0, null]);
  });

  test('has the last lines when the process exits', async () => {
    // Few enough for the system to buffer, however late the reader is.
    const { stdout } = startProcess(100);
    expect(linesOf(await text(stdout)).map(({ line }) => line)).toEqual(numbers(100));
  });
});
