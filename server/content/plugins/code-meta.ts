export interface CodeMeta {
  title?: string;
  /** VitePress' `[name]` in a code group. */
  label?: string;
  marked: Set<number>;
  added: Set<number>;
  removed: Set<number>;
  numbers: boolean;
}

/** Reads `title="…" {1,3-5} ins={2} del={3} showLineNumbers`, and Hugo's and MkDocs' equivalents. */
export function readCodeMeta(meta: string): CodeMeta {
  const title = /\b(?:title|file|filename|name)=(?:"([^"]*)"|'([^']*)')/.exec(meta);
  const label = /(?:^|\s)\[([^\]]+)\]/.exec(meta);
  const bare = meta.replace(/[\w-]+=(?:"[^"]*"|'[^']*'|\{[^}]*\}|\[[^\]]*\])/g, ' ');
  const name = title?.[1] ?? title?.[2];
  return {
    ...(name && { title: name }),
    ...(label?.[1] && { label: label[1] }),
    marked: ranges(/\{([\d,\s-]+)\}/.exec(bare)?.[1], listed(meta, 'mark'), listed(meta, 'hl_lines')),
    added: ranges(listed(meta, 'ins')),
    removed: ranges(listed(meta, 'del')),
    numbers: /(?<!no-)\b(showLineNumbers|line-numbers|linenos|linenums|lineNumbers)\b(?!=\{?["']?(false|off))/.test(
      meta,
    ),
  };
}

function listed(meta: string, key: string): string | undefined {
  return new RegExp(`\\b${key}=(?:\\{([^}]*)\\}|"([^"]*)"|\\[([^\\]]*)\\])`).exec(meta)?.slice(1).find(Boolean);
}

function ranges(...lists: (string | undefined)[]): Set<number> {
  const lines = new Set<number>();
  for (const [, from, to] of lists.join(',').matchAll(/(\d+)(?:\s*-\s*(\d+))?/g)) {
    const first = Number(from);
    const last = Math.min(to ? Number(to) : first, first + 10_000);
    for (let line = first; line <= last; line += 1) lines.add(line);
  }
  return lines;
}
