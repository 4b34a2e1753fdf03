import { type ErrorCode, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError } from 'yaml';
import type { z } from 'zod';
import { errorMessage } from '../error-message.ts';
import type { Fault } from './fault.ts';

/** Where the YAML is: the file and the line number of its first line (2 for front matter). */
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
  /** Absent when the source is not YAML or does not match the schema. */
  value?: T;
  faults: Fault[];
  /** Place of a value (or of its nearest existing parent). */
  at(path: DataPath): Position;
  /** Place of a value's key. */
  atKey(path: DataPath): Position;
  /** What was written, before the schema was applied; in a faulty file, what can be read of it. */
  raw: unknown;
}

/** Reads YAML and checks it; syntax errors and schema issues become faults with line and column. */
export function parseYaml<T>(source: string, schema: z.ZodType<T>, place: YamlPlace): YamlResult<T> {
  return withoutOverflow(place, () => {
    const read = readYaml(source, place);
    if (read.faults.length > 0) return read;
    const checked = schema.safeParse(read.raw ?? {}, inAuthorsWords);
    if (checked.success) return { ...read, value: checked.data };
    return { ...read, faults: schemaFaults(checked.error.issues, place.file, read.at) };
  });
}

/** Reads YAML without a schema. */
export function readYaml(source: string, place: YamlPlace): Omit<YamlResult<never>, 'value'> {
  return withoutOverflow(place, () => readDocument(source, place));
}

const tooDeep = 'Lists or keys are nested too deeply.';

/** Parser and schema walk by recursion: endlessly nested lists are a fault of the file, not of the start. */
function withoutOverflow<T>(place: YamlPlace, read: () => YamlResult<T>): YamlResult<T> {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const at = () => ({ line: place.firstLine, column: 1 });
    return { faults: [{ file: place.file, ...at(), rule: 'yaml', message: tooDeep }], at, atKey: at, raw: undefined };
  }
}

function readDocument(source: string, place: YamlPlace): YamlResult<never> {
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
    message: sentenceOf(error),
  }));
  try {
    return { faults, at, atKey, raw: document.toJS() };
  } catch (error) {
    if (faults.length > 0) return { faults, at, atKey, raw: undefined };
    if (error instanceof RangeError) throw error;
    // Aliases of aliases, which may expand beyond any memory, or a merge of something that is not a map.
    const message = errorMessage(error);
    return { faults: [{ file: place.file, ...at([]), rule: 'yaml', message }], at, atKey, raw: undefined };
  }
}

// What the parser says of these describes its grammar rather than the author's mistake.
const mistakes: Partial<Record<ErrorCode, string>> = {
  BLOCK_AS_IMPLICIT_KEY:
    'A value with a colon and a space in it needs quotes, and keys of one level start at the same column.',
  DUPLICATE_KEY: 'This key is already above: each key may occur once.',
};

// The parser has one code for several of these.
const beginnings: readonly [begin: string, sentence: string][] = [
  ['Flow ', 'What begins with [ or { must end with ] or }; a text that begins with one of them needs quotes.'],
  ['Missing closing ', 'A text that begins with a quotation mark must end with the same one.'],
];

function sentenceOf({ code, message }: YAMLError): string {
  // The parser catches its own stack overflow and reports it as an ordinary error.
  if (message.startsWith('Maximum call stack')) return tooDeep;
  const plain = mistakes[code] ?? beginnings.find(([begin]) => message.startsWith(begin))?.[1];
  return plain ?? message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'This is not valid YAML.';
}

/** Turns schema issues into faults. @param issues parsed with `inAuthorsWords` */
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

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a list of keys and values',
  record: 'a list of keys and values',
};

/** For `safeParse`: sentences for authors where the schema has none; its library's own name types of the code. */
export const inAuthorsWords: z.core.ParseContext<z.core.$ZodIssue> = {
  error(issue) {
    switch (issue.code) {
      case 'unrecognized_keys':
        return `the key ${issue.keys[0]} is not known`;
      case 'invalid_key':
        return issue.issues.map(({ message }) => `the key ${message}`).join('; ');
      case 'invalid_type':
        return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
      case 'invalid_value':
        return issue.values.length === 1 ? `must be ${String(issue.values[0])}` : undefined;
      case 'invalid_format':
        if (issue.format === 'starts_with') return `must start with "${issue.prefix}"`;
        return issue.format === 'regex' ? `must match pattern ${issue.pattern}` : undefined;
      default:
        return undefined;
    }
  },
};

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
