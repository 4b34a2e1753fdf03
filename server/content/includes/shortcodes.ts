import { posix } from 'node:path';
import type { FindIncludes, Include } from './include.ts';

// No two parts of it match the same blanks: trying every way to divide them would take cubic time.
const hugo = /\{\{[<%]\s*(?:include|readfile)\s((?:(?![>%]\}\}|\{\{[<%]).)*)[>%]\}\}/g;
const jekyll = /\{%-?\s*(include|include_relative|include_cached)\s+([\w./-]+)[^%]*-?%\}/g;
const markdown = ['', '.md', '/index.md', '/_index.md'];

/**
 * Hugo: `{{% include "part.md" %}}`, Docsy's `{{% readfile %}}`; Jekyll: `{% include part.md %}`, `{% include_relative
 * … %}`.
 */
export const shortcodes: FindIncludes = (text, { file, code }) => {
  if (code || !/\{\{?[<%]/.test(text)) return [];
  return [...[...text.matchAll(hugo)].map((found) => hugoInclude(found, file)), ...jekyllIncludes(text, file)];
};

function hugoInclude(found: RegExpExecArray, file: string): Include {
  const [whole, written = ''] = found;
  const words = written.trimEnd().replace(/\/$/, '');
  const path = (/(?:file|path)\s*=\s*["'`]?([^"'`\s]+)/.exec(words) ?? /^\s*["'`]?([^"'`\s]+)/.exec(words))?.[1] ?? '';
  const language = /\bcode\s*=\s*"?true/.test(words) ? (/lang\s*=\s*"?(\w+)/.exec(words)?.[1] ?? 'text') : undefined;
  const folders = ['.', 'docs', 'includes', 'docs/includes'];
  const from = path.startsWith('/') ? folders : [posix.dirname(file), ...folders];
  return {
    start: found.index,
    end: found.index + whole.length,
    written: path,
    candidates: from.flatMap((folder) => markdown.map((ending) => posix.join(folder, path + ending))),
    ...(language && { fence: language }),
  };
}

/** Only markdown: other includes are a theme's programs. */
function jekyllIncludes(text: string, file: string): Include[] {
  return [...text.matchAll(jekyll)].map((found) => {
    const [whole, kind = '', path = ''] = found;
    const folders = kind === 'include_relative' ? [posix.dirname(file)] : ['_includes', 'docs/_includes'];
    return {
      start: found.index,
      end: found.index + whole.length,
      written: path,
      candidates: /\.(?:md|markdown|txt)$/.test(path) ? folders.map((folder) => posix.join(folder, path)) : [],
    };
  });
}
