import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import rehypeRaw from 'rehype-raw';
import { unified } from 'unified';
import { readerOutline } from '../server/testing/reader-outline.ts';
import { type Tool, tools } from './outlines/tools.ts';

// `npm run outlines -- /tmp/tools [hugo.md …]`: renders the golden files with the real tools, and writes an outline of
// what a reader sees beside each. CONTRIBUTING.md says how to install the tools.
const golden = resolve(import.meta.dirname, '../server/content/golden');
const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder of the tools: npm run outlines -- /tmp/tools');

for (const tool of tools) {
  if (wanted.length > 0 && !wanted.includes(tool.golden)) continue;
  const home = resolve(folder, tool.folder);
  const heading = `${tool.name} ${tool.version(home)}${tool.besides ? `, with ${tool.besides}` : ''}`;
  const outline = readerOutline(parse(contentOf(pageOf(tool, home), tool)));
  writeFileSync(join(golden, `${tool.golden}.tool.txt`), `${heading}\n\n${outline}`);
  console.log(`Written: ${tool.golden}.tool.txt`);
}

function pageOf(tool: Tool, home: string): string {
  const site = join(home, 'site');
  rmSync(site, { recursive: true, force: true });
  for (const [name, text] of Object.entries(tool.files)) {
    mkdirSync(dirname(join(site, name)), { recursive: true });
    writeFileSync(join(site, name), text);
  }
  cpSync(join(golden, tool.golden), join(site, tool.source));
  const [command = '', ...args] = tool.command;
  const printed = execFileSync(command, args, { cwd: site, encoding: 'utf8', maxBuffer: 1e8 });
  return tool.page === undefined ? printed : readFileSync(join(site, tool.page), 'utf8');
}

/** The HTML between the tags around the text. */
function contentOf(html: string, { start, end }: Tool): string {
  const from = html.indexOf(start);
  const to = html.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`No ${start} … ${end} in the page.`);
  return html.slice(from, to);
}

function parse(html: string) {
  return unified()
    .use(rehypeRaw)
    .runSync({ type: 'root', children: [{ type: 'raw', value: html }] });
}
