import { posix } from 'node:path';
import type { FindIncludes, Include, PlacedLine } from './include.ts';

const statement = /^import\s+(\w+)(?:\s*,\s*\{[^}]*\})?\s+from\s+['"]([^'"]+)['"]/;
const codeBlock = /<CodeBlock\b([^<>]*)>\s*\{\s*(\w+)\s*\}\s*<\/CodeBlock>/g;

/** The markdown or raw text files that a page imports: name → path as written. */
export function importsOf(lines: readonly { text: string; code: boolean }[]): Map<string, string> {
  return new Map(
    lines.flatMap(({ text, code }) => {
      const [, name, path] = (code ? undefined : statement.exec(text)) ?? [];
      const isText = path !== undefined && /\.(?:md|mdx|markdown)$|^!!raw-loader!|\?raw$/.test(path);
      // Formatters escape an underscore as in markdown, which JavaScript ignores.
      return name && isText ? [[name, path.replace(/\\(?=[^\w\\]|_)/g, '')]] : [];
    }),
  );
}

/**
 * MDX: `import Part from './_part.md'` and `<Part name="x" />`; `import code from '!!raw-loader!./a.js'` inside
 * `<CodeBlock>`.
 */
export const imports: FindIncludes = (text, { file, code, imports: paths }) => {
  if (code || paths.size === 0) return [];
  return [...codeBlocks(text, file, paths), ...parts(text, file, paths)];
};

function parts(text: string, file: string, paths: ReadonlyMap<string, string>): Include[] {
  const names = [...paths.keys()].join('|');
  const tag = new RegExp(`<(${names})((?:\\s(?:"[^"]*"|'[^']*'|[^'"<>])*?)?)\\s*(?:/>|>\\s*</\\1>)`, 'g');
  return [...text.matchAll(tag)].map((found) => {
    const [whole, name = '', words = ''] = found;
    const path = paths.get(name) ?? '';
    const props = [...words.matchAll(/([\w-]+)=(?:\{\s*)?(?:"([^"]*)"|'([^']*)'|`([^`]*)`)/g)].map(
      ([, key = '', ...values]): [string, string] => [key, values.find((value) => value !== undefined) ?? ''],
    );
    return {
      start: found.index,
      end: found.index + whole.length,
      written: path,
      candidates: placesOf(path, file),
      ownLinks: true,
      props: new Map(props),
    };
  });
}

function codeBlocks(text: string, file: string, paths: ReadonlyMap<string, string>): Include[] {
  return [...text.matchAll(codeBlock)].flatMap((found): Include[] => {
    const [whole, words = '', name = ''] = found;
    const path = paths.get(name);
    if (path === undefined) return [];
    const plain = path.replace(/^!!raw-loader!|\?raw$/g, '');
    const language = /language=["']([^"']*)["']/.exec(words)?.[1] ?? /\.(\w+)$/.exec(plain)?.[1] ?? 'text';
    const title = /title=["']([^"']*)["']/.exec(words)?.[1];
    return [
      {
        start: found.index,
        end: found.index + whole.length,
        written: plain,
        candidates: placesOf(plain, file),
        fence: title ? `${language} title="${title}"` : language,
      },
    ];
  });
}

/** `@site/` is the whole site's folder; Mintlify paths start at the documents' root. */
function placesOf(path: string, file: string): string[] {
  if (path.startsWith('@site/')) return [posix.normalize(path.slice('@site/'.length))];
  if (path.startsWith('/')) return ['docs', '.'].map((folder) => posix.join(folder, path));
  return [posix.join(posix.dirname(file), path)];
}

/** Replaces `{props.name}` with the texts that a part is used with. */
export function withProps(line: PlacedLine, props: ReadonlyMap<string, string>): PlacedLine {
  if (!line.text.includes('{')) return line;
  const text = line.text.replace(/\{\s*(?:props\.)?(\w+)\s*\}/g, (whole, name: string) => props.get(name) ?? whole);
  return { ...line, text };
}
