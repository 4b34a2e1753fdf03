import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { frameIds, numberedIds } from '../../client/contract/frame-ids.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const tools =
  /^(?:unified|remark-|rehype-|mdast-|hast-|micromark-|unist-|vfile$|shiki$|yaml$|smol-toml$|zod$|github-slugger$|acorn)/;

/** A hash that changes whenever the compiler's output may differ. */
export function pipelineVersion(): string {
  const hash = createHash('sha256').update(JSON.stringify([frameIds, numberedIds]));
  for (const folder of ['', 'plugins/', 'dialects/', 'drawings/']) {
    for (const name of readdirSync(here + folder).toSorted()) {
      if (name.endsWith('.ts') && !name.endsWith('.test.ts')) hash.update(readFileSync(here + folder + name));
    }
  }
  const manifest: { dependencies?: Record<string, string> } = JSON.parse(
    readFileSync(`${here}../../package.json`, 'utf8'),
  );
  for (const [name, version] of Object.entries(manifest.dependencies ?? {}))
    if (tools.test(name)) hash.update(`${name} ${version}`);
  return hash.digest('base64url').slice(0, 16);
}
