import { dirname, relative, resolve } from 'node:path';
import { normalizePath, type Plugin } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const place = /\bimport\.meta\.(dirname|url)\b/g;

/**
 * Vite plugin: the server's modules find files (content, migrations, fonts) from where their sources are, so in the
 * bundle `import.meta.dirname` and `import.meta.url` still mean the source. The bundle's chunks are not in subfolders.
 * @param folder of the bundle, below the root
 */
export function sourcePlaces(folder: string): Plugin {
  const toRoot = normalizePath(relative(resolve(root, folder), root));
  return {
    name: 'millrace:source-places',
    transform: {
      order: 'pre',
      filter: { code: place },
      handler(code, id) {
        const source = normalizePath(relative(root, id));
        // Finds the programs of the bundle, so its place is the bundle's.
        if (!source.startsWith('server/') || source === 'server/program-path.ts') return;
        const file = `${toRoot}/${source}`;
        const places: Record<string, string> = {
          dirname: `(import.meta.dirname + ${JSON.stringify(`/${dirname(file)}`)})`,
          url: `new URL(${JSON.stringify(file)}, import.meta.url).href`,
        };
        return { code: code.replace(place, (found, what: string) => places[what] ?? found), map: null };
      },
    },
  };
}
