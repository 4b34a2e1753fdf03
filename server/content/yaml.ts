/** YAML read with its places: every fault names the line and column it comes from. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { z } from 'zod';
import type { Fault } from './fault.ts';

/** Where the YAML stands: the file and the line of its first line (front matter starts at 2). */
export interface YamlPlace {
  file: string;
  firstLine: number;
}

export interface Position {
  line: number;
  column: number;
}

export type DataPath = readonly PropertyKey[];

export interface YamlResult<T> {
  /** Missing when the source is not YAML or does not fit the schema. */
  value?: T;
  faults: Fault[];
  /** Place of a value (or of its nearest parent that exists). */
  at(path: DataPath): Position;
  /** Place of a value's key. */
  atKey(path: DataPath): Position;
  /** What was written, before the schema looked at it. */
  raw: unknown;
}

/** Reads YAML and checks it; syntax errors and schema issues become faults with line and column. */
export function parseYaml<T>(source: string, schema: z.ZodType<T>, place: YamlPlace): YamlResult<T> {
  const read = readYaml(source, place);
  if (read.faults.length > 0) return read;
  const checked = schema.safeParse(read.raw ?? {});
  if (checked.success) return { ...read, value: checked.data };
  return { ...read, faults: schemaFaults(checked.error.issues, place.file, read.at) };
}

/** Reads YAML without a schema. */
export function readYaml(source: string, place: YamlPlace): Omit<YamlResult<never>, 'value'> {
  const counter = new LineCounter();
  const document = parseDocument(source, { lineCounter: counter, uniqueKeys: true, merge: true });
  const position = (offset: number): Position => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1) + place.firstLine - 1, column: Math.max(col, 1) };
  };
  const at = (path: DataPath): Position => position(offsetOf(document.contents, path));
  const atKey = (path: DataPath): Position => position(offsetOf(document.contents, path, true));
  const faults = document.errors.map((error) => ({
    file: place.file,
    ...position(error.pos[0]),
    rule: 'yaml',
    message: error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'This is not YAML.',
  }));
  return { faults, at, atKey, raw: faults.length > 0 ? undefined : toPlain(document) };
}

/** Turns schema issues into faults. */
export function schemaFaults(
  issues: readonly z.core.$ZodIssue[],
  file: string,
  at: (path: DataPath) => Position,
): Fault[] {
  return issues.map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path;
    const name = issue.path.map(String).join('.');
    return { file, ...at(path), rule: 'schema', message: name ? `${name}: ${issue.message}` : issue.message };
  });
}

/** Resolving aliases throws when they grow without end. */
function toPlain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

function offsetOf(root: unknown, path: DataPath, ofKey = false): number {
  let node: unknown = root;
  let offset = startOf(root) ?? 0;
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
      if (!pair) return offset;
      offset = startOf(ofKey ? pair.key : pair.value) ?? startOf(pair.key) ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      offset = startOf(node) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) || isMap(node) || isSeq(node) ? (node as Node).range?.[0] : undefined;
}
