import remarkFrontmatter from 'remark-frontmatter';
import remarkParse from 'remark-parse';
import { parse as parseToml, TomlError } from 'smol-toml';
import { unified } from 'unified';
import type { z } from 'zod';
import type { Fault } from './fault.ts';
import { frontSchema, isDateKey, toFront } from './front-schema.ts';
import { emptyFront, type Front, type PageKind } from './page-facts.ts';
import { type DataPath, type Position, readYaml, schemaFaults } from './yaml.ts';

/** A source's front matter as written: YAML between --- or TOML between +++. */
export interface FrontBlock {
  kind: 'yaml' | 'toml';
  text: string;
  /** Offset of the first character after the block. */
  end: number;
}

const parser = unified().use(remarkParse).use(remarkFrontmatter, ['yaml', 'toml']).freeze();

/** The front matter block at the start of a source, if any. */
export function findFrontMatter(source: string): FrontBlock | undefined {
  // Only the block itself is parsed here; the text after it has its own pipeline.
  const head = /^(---|\+\+\+)[ \t]*\n(?:[\s\S]*?\n)?\1[ \t]*(?:\n|$)/.exec(source)?.[0];
  const node = head === undefined ? undefined : parser.parse(head).children[0];
  if (head === undefined || (node?.type !== 'yaml' && !isToml(node))) return undefined;
  return { kind: node.type, text: node.value, end: head.length };
}

/** remark-frontmatter's node for `+++`, which mdast's own types lack. */
function isToml(node: unknown): node is { type: 'toml'; value: string } {
  return typeof node === 'object' && node !== null && 'type' in node && node.type === 'toml';
}

// A thematic break at the start of a page is not followed by a key.
const opened = /^(?:---[ \t]*\n\s*["']?[\w-]+["']?[ \t]*:(?:[ \t]|\n|$)|\+\+\+[ \t]*\n)/;

/** The source with its front matter replaced by empty lines, so line numbers stay correct. */
export function blankFrontMatter(source: string, block: FrontBlock | undefined): string {
  if (!block) return source;
  return source.slice(0, block.end).replace(/[^\n]+/g, '') + source.slice(block.end);
}

export interface WrittenFront {
  front: Front;
  faults: Fault[];
  /** Place of a key's value. */
  at(path: DataPath): Position;
}

/**
 * Reads and checks a source's front matter; a key that does not fit is reported and left out, the others count. If it
 * is unreadable whether the page may be shown, the page is withheld.
 */
export function readFrontMatter(
  source: string,
  { file, kind }: { file: string; kind: PageKind },
  block = findFrontMatter(source),
): WrittenFront {
  if (!block) return withoutBlock(source, file);
  const { raw, at, faults } =
    block.kind === 'yaml' ? readYaml(block.text, { file, firstLine: 2 }) : readToml(block.text, file);
  if (faults.length === 0 && (raw === null || raw === undefined)) return { front: emptyFront(), faults, at };
  const isMap = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
  if (!isMap && faults.length === 0) {
    const message = 'Front matter must be a list of keys and values.';
    faults.push({ file, line: 2, column: 1, rule: 'front-matter', message });
  }
  const { value, issues } = checkKeys(isMap ? { ...raw } : {});
  const front = toFront(value, at);
  if (faults.length > 0) return { front: { ...front, withheld: true }, faults: faults.map(thatWithholds), at };
  // A date holds back posts only.
  const withholds = ({ path: [key] }: z.core.$ZodIssue) => key === 'draft' || (kind === 'post' && isDateKey(key));
  const found = issues.flatMap((issue) => {
    const told = schemaFaults([issue], file, at);
    return withholds(issue) ? told.map(thatWithholds) : told;
  });
  return { front: issues.some(withholds) ? { ...front, withheld: true } : front, faults: found, at };
}

function withoutBlock(source: string, file: string): WrittenFront {
  const at = () => ({ line: 1, column: 1 });
  const mark = opened.exec(source)?.[0].slice(0, 3);
  if (mark === undefined) return { front: emptyFront(), faults: [], at };
  const message = `The front matter that begins here is never closed: add a line ${mark} below its keys.`;
  const fault = { file, ...at(), rule: 'front-matter', message };
  return { front: { ...emptyFront(), withheld: true }, faults: [thatWithholds(fault)], at };
}

function thatWithholds(fault: Fault): Fault {
  return {
    ...fault,
    message: `${fault.message.replace(/\.$/, '')}. Until this is fixed, the page is not served in production.`,
  };
}

function checkKeys(raw: Record<string, unknown>): { value: z.infer<typeof frontSchema>; issues: z.core.$ZodIssue[] } {
  const first = frontSchema.safeParse(raw);
  if (first.success) return { value: first.data, issues: [] };
  const issues = first.error.issues;
  for (const issue of issues) delete raw[String(issue.path[0])];
  return { value: frontSchema.parse(raw), issues };
}

function readToml(text: string, file: string): { raw?: unknown; at(path: DataPath): Position; faults: Fault[] } {
  const lines = text.split('\n');
  const at = (path: DataPath): Position => {
    const index = lines.findIndex((line) => line.match(/^\s*\[*\s*["']?([\w-]+)/)?.[1] === String(path[0]));
    return { line: Math.max(index, 0) + 2, column: 1 };
  };
  try {
    return { raw: parseToml(text), at, faults: [] };
  } catch (error) {
    const place = error instanceof TomlError ? { line: error.line + 1, column: error.column } : { line: 2, column: 1 };
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'This is not valid TOML.';
    return { at, faults: [{ file, ...place, rule: 'toml', message }] };
  }
}
