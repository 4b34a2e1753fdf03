import remarkFrontmatter from 'remark-frontmatter';
import remarkParse from 'remark-parse';
import { parse as parseToml, TomlError } from 'smol-toml';
import { unified } from 'unified';
import type { z } from 'zod';
import type { Fault } from './fault.ts';
import { fencedBlock, unclosedFront } from './front-block.ts';
import { frontKeys, frontSchema, isDateKey, toFront } from './front-schema.ts';
import { emptyFront, type Front, type PageKind } from './page-facts.ts';
import { type DataPath, inAuthorsWords, type Position, readYaml, schemaFaults } from './yaml.ts';

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
  const head = fencedBlock(source);
  const node = head === undefined ? undefined : parser.parse(head.replace(/\.\.\.([ \t]*\n?)$/, '---$1')).children[0];
  if (head === undefined || (node?.type !== 'yaml' && !isToml(node))) return undefined;
  return { kind: node.type, text: node.value, end: head.length };
}

/** remark-frontmatter's node for `+++`, which mdast's own types lack. */
function isToml(node: unknown): node is { type: 'toml'; value: string } {
  return typeof node === 'object' && node !== null && 'type' in node && node.type === 'toml';
}

// Nearly front matter: below empty lines, indented, or between other dashes.
const misplaced =
  /^(?:[ \t]*\n)*[ \t]*(-{3,}|[–—]+)[ \t]*\n(?:(?:["']?[A-Za-z][\w-]*["']?[ \t]*:(?:[ \t].*)?|[ \t]+\S.*|- .*|#.*|[ \t]*)\n)+?[ \t]*\1[ \t]*(?:\n|$)/;
const asJson = /^\{\s*\n\s*"[\w-]+"[ \t]*:/;

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
  const misspelt = isMap ? misspeltKeys(raw) : [];
  if (faults.length > 0) return { front: { ...front, withheld: true }, faults: faults.map(thatWithholds), at };
  // A date holds back posts only.
  const withholds = (key: unknown) => key === 'draft' || (kind === 'post' && isDateKey(key));
  const told = (key: unknown, found: Fault[]) => (withholds(key) ? found.map(thatWithholds) : found);
  const found = [
    ...misspelt.flatMap(([key, meant]) => {
      const message = `The key ${key} is not read: write ${meant}.`;
      return told(meant, [{ file, ...at([key]), rule: 'front-matter', message }]);
    }),
    ...issues.flatMap((issue) => told(issue.path[0], schemaFaults([issue], file, at))),
  ];
  const isWithheld = [...misspelt.map(([, meant]) => meant), ...issues.map(({ path }) => path[0])].some(withholds);
  return { front: isWithheld ? { ...front, withheld: true } : front, faults: found, at };
}

/** Keys that are only capitalised or joined in another way than the one that is read. */
function misspeltKeys(raw: object): [written: string, meant: string][] {
  const written = Object.keys(raw);
  return written.flatMap((key) => {
    const meant = frontKeys.find((one) => one.toLowerCase() === key.toLowerCase().replaceAll('-', '_'));
    return meant === undefined || written.includes(meant) ? [] : [[key, meant]];
  });
}

function withoutBlock(source: string, file: string): WrittenFront {
  const at = () => ({ line: 1, column: 1 });
  const message = problemOf(source);
  if (message === undefined) return { front: emptyFront(), faults: [], at };
  const line = source.slice(0, source.search(/\S/)).split('\n').length;
  const fault = { file, line, column: 1, rule: 'front-matter', message };
  return { front: { ...emptyFront(), withheld: true }, faults: [thatWithholds(fault)], at };
}

/** What is wrong with front matter that was meant and not found. */
function problemOf(source: string): string | undefined {
  const unclosed = unclosedFront(source);
  if (unclosed !== undefined) return unclosed;
  if (misplaced.test(source))
    return 'This front matter is not read: it must begin on the first line of the file, with --- and nothing before it, and end with ---.';
  return asJson.test(source) ? 'Front matter in JSON is not read: write it as YAML between two lines ---.' : undefined;
}

function thatWithholds(fault: Fault): Fault {
  return {
    ...fault,
    message: `${fault.message.replace(/\.$/, '')}. Until this is fixed, the page is not served in production.`,
  };
}

function checkKeys(raw: Record<string, unknown>): { value: z.infer<typeof frontSchema>; issues: z.core.$ZodIssue[] } {
  const first = frontSchema.safeParse(raw, inAuthorsWords);
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
