import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { type Plugin, parseAst } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const isPage = /\/pages\/.*\+Page\.tsx$/;

/**
 * Vite plugin: a page module without a default export fails the build; in development it shows as an error in the page.
 */
export function defaultExport(): Plugin {
  return {
    name: 'millrace:default-export',
    enforce: 'pre',
    buildStart() {
      for (const file of pageFiles()) {
        const fault = missingDefault(file, readFileSync(file, 'utf8'));
        // In development the transform below reports it when the page is requested.
        if (fault && this.environment.mode === 'build') this.error(fault);
      }
    },
    transform: {
      filter: { id: isPage },
      handler(code, id) {
        const fault = missingDefault(id.replace(/\?.*$/, ''), code);
        if (fault) this.error(fault);
      },
    },
  };
}

function pageFiles(): string[] {
  const names = readdirSync(resolve(root, 'pages'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('+Page.tsx')).map((name) => resolve(root, 'pages', name));
}

/** The message about a page module that exports no component, or undefined. */
export function missingDefault(file: string, code: string): string | undefined {
  const { body } = parseAst(code, { lang: 'tsx' });
  const found = body.some((node) => {
    if (node.type === 'ExportDefaultDeclaration') return true;
    if (node.type !== 'ExportNamedDeclaration') return false;
    return node.specifiers.some(({ exported }) => exported.type === 'Identifier' && exported.name === 'default');
  });
  if (found) return undefined;
  return `The page component at ${relative(root, file).split(sep).join('/')} has no default export.`;
}
