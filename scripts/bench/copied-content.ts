import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

const own = resolve(import.meta.dirname, '../../content');

/** Documents and posts of a content folder. */
export async function countPages(contentDir: string): Promise<number> {
  return (
    (await markdownBelow(join(contentDir, 'docs'))).length + (await markdownBelow(join(contentDir, 'blog'))).length
  );
}

/**
 * A content folder of about `pages` documents and posts: ours, then our documents again under new names. Each copy
 * contains its number, so that none is found in the cache under another's hash.
 */
export async function copyContent(folder: string, pages: number): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await cp(own, folder, { recursive: true });
  const documents = await markdownBelow(join(own, 'docs'));
  // Our own pages too, since dist/content-cache.sqlite may contain them compiled.
  for (const kind of ['docs', 'blog']) {
    for (const file of await markdownBelow(join(own, kind)))
      await appendFile(join(folder, kind, file), '\nMeasured.\n');
  }
  const missing = pages - (await countPages(own));
  for (let made = 0; made < missing; made += 1) {
    const source = documents[made % documents.length];
    if (!source) throw new Error('content/docs holds no document.');
    const round = Math.floor(made / documents.length);
    const text = await readFile(join(own, 'docs', source), 'utf8');
    const file = join(folder, 'docs', `copy${round}`, source);
    await mkdir(dirname(file), { recursive: true });
    // Two documents must not claim the same address or id.
    await writeFile(file, `${text.replace(/^(slug|id):.*\n/gm, '')}\nCopy ${round} of this document.\n`);
  }
}

async function markdownBelow(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.md')).sort();
}
