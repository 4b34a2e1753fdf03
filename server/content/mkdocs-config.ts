import { posix } from 'node:path';
import { z } from 'zod';
import { type Fault, leftOutFault } from './fault.ts';
import { readText } from './read-text.ts';
import { type DataPath, type Position, parseYaml } from './yaml.ts';

/** What a `mkdocs.yml` beside the documents contains: their order, and where snippets are. */
export interface MkdocsConfig {
  /** As written; the order's reader has its schema. */
  nav: unknown;
  at(path: DataPath): Position;
  /** Below the content folder. */
  docsDir: string;
  snippetFolders: string[];
  faults: Fault[];
}

export const mkdocsFile = 'mkdocs.yml';
const folders = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());
const extensions = z.union([
  z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
  z.record(z.string(), z.unknown()),
]);
const schema = z.looseObject({
  nav: z.unknown().optional(),
  docs_dir: z.string().optional(),
  markdown_extensions: extensions.optional(),
});
const extension = z.looseObject({ base_path: folders.optional() });

/** Reads the file; without a path there is no order and no folder. */
export function readMkdocsConfig(path: string | undefined): MkdocsConfig {
  const none = { nav: undefined, at: () => ({ line: 1, column: 1 }), docsDir: 'docs', snippetFolders: [], faults: [] };
  const source = path === undefined ? undefined : readText(path);
  if (source === undefined) return none;
  if ('problem' in source) return { ...none, faults: [leftOutFault(mkdocsFile, source.problem)] };
  const { value, faults, at } = parseYaml(source.text, schema, { file: mkdocsFile, firstLine: 1 });
  const docsDir = posix.normalize(value?.docs_dir ?? 'docs');
  return { nav: value?.nav, at, faults, docsDir, snippetFolders: snippetFolders(value?.markdown_extensions) };
}

function snippetFolders(written: z.infer<typeof extensions> | undefined): string[] {
  const named = [written ?? []].flat().flatMap((entry) => (typeof entry === 'string' ? [] : Object.entries(entry)));
  return named
    .filter(([name]) => name === 'pymdownx.snippets' || name === 'mdx_include')
    .flatMap(([, options]) => extension.safeParse(options).data?.base_path ?? [])
    .map((folder) => posix.normalize(folder));
}
