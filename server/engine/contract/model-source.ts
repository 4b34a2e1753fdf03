import type { Change, Row } from '../change.ts';
import { keyOf, UNCHANGED } from '../change.ts';
import { plainFacts } from '../facts.ts';
import { markedKey, type RangeMark } from '../mark.ts';
import type { Position } from '../position.ts';
import type { ChangeStream, Chunk, Part, Source } from '../source.ts';
import type { Table } from '../table.ts';
import { type Model, positionAt } from './model.ts';
import { meets } from './model-filter.ts';
import { printRows } from './model-print.ts';
import { comparedKey, comparedKeyOf, modelTables } from './model-tables.ts';
import type { Process } from './process.ts';
import type { Random } from './random.ts';

/** The model as a process reads it; every answer takes turns. */
export function modelSource(model: Model, process: Process): Source {
  return {
    sees: async () => false,
    check: async () => [],
    names: () => process.call(() => modelTables),
    catalog: () => process.call(() => modelTables.map((table) => ({ ...table, size: { rows: 0, bytes: 0 } }))),
    namesakes: async () => new Map(),
    structure: async () => [],
    facts: (_job, tables) =>
      process.call(() => tables.map((table) => ({ table, notTold: null, ...plainFacts, continuity: 'logged' }))),
    incarnation: () => process.call(() => 'model'),
    now: () => process.call(() => model.end),
    async reserve() {
      const position = await process.call(() => model.end);
      // As with a new slot: everything before its position is visible by the time the slot exists.
      while (!model.isVisible(position)) await process.turn();
      return position;
    },
    include: async () => undefined,
    release: async () => undefined,
    retained: async () => null,
    hold: async () => false,
    stream: async (_job, from) => modelStream(model, process, from),
    ranges: (table, most) => process.call(() => cut(model.snapshot().rows(table), table, most)),
    judge: (table, filter, rows) => process.call(() => rows.map((row) => meets(table, filter, row))),
    snapshot: () => process.call(() => ({ sees: model.snapshot().sees })),
    async read(table, part, filter) {
      while (model.isLocked(table)) await process.turn();
      const chunk = await process.call(() =>
        readChunk(model, table, part, { filter: filter ?? null, random: process.random }),
      );
      // Now and then a chunk is old when it arrives, after newer ones.
      if ('range' in part) await process.dawdle();
      // Printed rows and unprinted rows must give the same result.
      return process.random.chance(0.5) ? { ...chunk, printed: printRows(table, chunk.rows) } : chunk;
    },
    readAll: () => {
      throw new Error('The model has no table without key.');
    },
    close: async () => undefined,
  };
}

function readChunk(
  model: Model,
  table: Table,
  part: Part,
  { filter, random }: { filter: string | null; random: Random },
): Chunk {
  const snapshot = model.snapshot();
  const rows = snapshot
    .rows(table)
    .filter((row) => meets(table, filter, row))
    .sort((one, other) => compare(comparedKeyOf(table, one), comparedKeyOf(table, other)));
  const chunk = { sees: snapshot.sees, end: model.end };
  if ('keys' in part) {
    // Some are left for another time, as if they were large.
    const most = !part.onlyKeys && random.chance(0.3) ? 1 + random.below(3) : part.keys.length;
    const last = most < part.keys.length ? (part.keys[most - 1] ?? null) : null;
    const wanted = new Set(part.keys.slice(0, most).map((key) => comparedKey(table, key)));
    const found = rows.filter((row) => wanted.has(comparedKeyOf(table, row)));
    if (!part.onlyKeys) return { ...chunk, rows: found, last };
    const blank = (row: Row) => row.map((cell, place) => (table.key.includes(place) ? cell : UNCHANGED));
    return { ...chunk, rows: found.map(blank), last };
  }
  const { after, from, to } = part.range;
  const start = after ?? from;
  const inRange = rows.filter((row) => {
    const key = comparedKeyOf(table, row);
    return (!start || key > comparedKey(table, markedKey(start))) && (!to || key <= comparedKey(table, markedKey(to)));
  });
  const read = inRange.slice(0, part.limit);
  const last = read.at(-1);
  return { ...chunk, rows: read, last: last && inRange.length > read.length ? keyOf(table, last) : null };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

function cut(rows: readonly Row[], table: Table, most: number): RangeMark[] {
  const keys = rows
    .map((row) => keyOf(table, row).map(String))
    .sort((one, other) => compare(comparedKey(table, one), comparedKey(table, other)));
  const parts = Math.max(1, Math.min(most, Math.floor(keys.length / 2)));
  const cuts = Array.from({ length: parts - 1 }, (_, index) => keys[Math.floor(((index + 1) * keys.length) / parts)]);
  const bounds = [null, ...cuts.map((key) => key ?? null), null];
  return Array.from({ length: parts }, (_, index) => ({
    from: bounds[index] ?? null,
    to: bounds[index + 1] ?? null,
    after: null,
    done: false,
  }));
}

function modelStream(model: Model, process: Process, from: Position): ChangeStream {
  let next = Number(from.resume);
  /** The part of a transaction that comes with a later array. */
  let rest: Change[] = [];

  function tell(): Change[] {
    if (rest.length > 0) return rest.splice(0, 1 + process.random.below(rest.length));
    const logged = model.log[next];
    if (!logged) return [{ kind: 'alive', position: model.end }];
    // While a server reads a long transaction, it reports how far it is.
    if (process.random.chance(0.2)) return [{ kind: 'alive', position: positionAt(next) }];
    next++;
    rest = [
      { kind: 'begin', transaction: logged.id, committedAt: next },
      ...logged.changes,
      { kind: 'commit', position: positionAt(next) },
    ];
    return rest.splice(0, 1 + process.random.below(rest.length));
  }

  return {
    async *[Symbol.asyncIterator]() {
      for (;;) yield await process.call(tell);
    },
    acknowledge(position) {
      process.acknowledged(position);
    },
    close: async () => undefined,
  };
}
