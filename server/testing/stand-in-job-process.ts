import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval } from 'node:timers';
import type { JobSpec } from '../engine/job.ts';
import { commandSchema, type Report, type Retry, type TableReport } from '../engine/protocol.ts';

// Stands in for the job process; the first table's name says what it does. It reports its process ID in an event.
const send = (report: Report) => process.send?.(report);
const held: Buffer[] = [];
let table: TableReport | undefined;
/** Reports of usage so far. */
let told = 0;

const sample: Extract<Report, { kind: 'sample' }>['sample'] = {
  at: Date.now(),
  spanMs: 1_000,
  copied: 10,
  applied: 5,
  transactions: 1,
  bytes: 100,
  lagMs: 40,
  waitedForSourceMs: 1,
  waitedForTargetMs: 2,
  position: '0/1',
  retainedBytes: null,
  memoryBytes: 1,
};

const behaviours: Record<string, () => void> = {
  well: () => {
    send({ kind: 'usage', process: 'u', number: 1, item: 'FULL', rows: 10 });
    send({ kind: 'sample', sample });
  },
  complete: () => complete(),
  crashes: () => process.kill(process.pid, 'SIGKILL'),
  refused: () => {
    const fault = {
      code: 'SLOT_MISSING',
      sentence: 'The slot is gone.',
      hint: 'Replay the job.',
      retry: 'never',
    } as const;
    process.send?.({ kind: 'failed', fault } satisfies Report, () => process.exit(0));
  },
  // More than a job's 256 MB, outside the heap, and not endless: a starved supervisor checks late.
  grows: () => {
    setInterval(() => {
      if (held.length < 32) held.push(Buffer.alloc(16 * 1024 * 1024, 1));
    }, 10);
  },
  // As reported by a process that blocks a table, and by the next one, which only knows that it is blocked.
  blocks: () => {
    if (!table) return;
    const blocked = { ...table, state: 'blocked' } as const;
    const fault = { code: 'TABLE_CHANGED', sentence: 'Another table.', hint: 'Resync it.', retry: 'manual' } as const;
    send({ kind: 'tables', tables: [{ ...blocked, fault }] });
    send({ kind: 'tables', tables: [{ ...blocked, rows: 11 }] });
  },
  deaf: () => undefined,
  // It does not end when asked, and its end is noted once the test has ended the process that keeps its channel open.
  'ends-late': () => {
    const { pid } = spawn('sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', 3] });
    send({ kind: 'event', at: Date.now(), level: 'info', table: null, sentence: `keeper ${pid}` });
  },
  counts: () => undefined,
  // It reports at a signal; the process of a server that has taken over is refused instead.
  'taken-over': () => {
    if (process.env.TAKEN_OVER) behaviours.refused?.();
  },
  unstorable: () => {
    const event = { kind: 'event', at: Date.now(), level: 'info', table: null } as const;
    send({ ...event, sentence: 'A text with \0 is none for PostgreSQL.' });
    send({ ...event, sentence: 'after it' });
  },
  'dies-of-commands': () => undefined,
  'retries-rest': () => complete(),
  'retries-refused': () => complete(),
};

/** What a process does at a signal, which may come as soon as it has reported anything. */
const signalled: Record<string, () => void> = {
  counts: () => {
    for (let one = 0; one < 100; one++)
      send({ kind: 'usage', process: 'u', number: told++, item: 'INCREMENT', rows: 1 });
  },
  // Its usage first: the server may lose its lock before it has read all of them, and a test counts the usage.
  'taken-over': () => {
    behaviours.well?.();
    if (table) send({ kind: 'tables', tables: [{ ...table, state: 'copying' }] });
    send({ kind: 'phase', phase: 'FULL' });
  },
};

/** What a process does that is started for a complete job's parked rows. */
const retryBehaviours: Record<string, () => void> = {
  'retries-rest': () => undefined,
  'retries-refused': () => behaviours.refused?.(),
};

function complete(): void {
  process.send?.({ kind: 'ended', complete: true } satisfies Report, () => process.exit(0));
}

function start({ tables: [first] }: JobSpec, retries: readonly Retry[] | undefined): void {
  const name = first?.name ?? '';
  const atSignal = signalled[name];
  if (atSignal) process.on('SIGUSR2', atSignal);
  send({ kind: 'event', at: Date.now(), level: 'info', table: null, sentence: `process ${process.pid}` });
  if (!retries) send({ kind: 'phase', phase: 'INCRE' });
  table = {
    id: `t-${name}`,
    source: `main.${name}`,
    target: `main.${name}`,
    state: 'live',
    rows: 10,
    estimate: 12,
    skipped: false,
    parked: name.startsWith('retries') ? 2 : 0,
    fault: null,
  };
  send({ kind: 'tables', tables: [table] });
  (retries ? retryBehaviours : behaviours)[name]?.();
  if (name === 'deaf' || name === 'ends-late') return;
  process.on('message', (message) => {
    const command = commandSchema.parse(message);
    if (command.kind === 'stop')
      process.send?.({ kind: 'ended', complete: false } satisfies Report, () => process.exit(0));
    if (command.kind === 'table' && name === 'dies-of-commands') process.kill(process.pid, 'SIGKILL');
    else if (command.kind === 'table' && table) {
      table = { ...table, state: command.action === 'pause' ? 'paused' : 'live', skipped: command.action === 'pause' };
      send({ kind: 'tables', tables: [table] });
      if (command.order !== undefined) send({ kind: 'carried', order: command.order });
    }
  });
}

process.once('message', (message) => {
  const command = commandSchema.parse(message);
  if (command.kind !== 'start') return;
  const { spec, retries } = command;
  if (spec.tables[0]?.name !== 'mute') return start(spec, retries);
  // It begins at a signal; until then, only a file announces it.
  process.once('SIGUSR2', () => start(spec, retries));
  writeFileSync(join(process.env.MUTE_FOLDER ?? '', String(process.pid)), '');
});
process.on('disconnect', () => process.exit(0));
