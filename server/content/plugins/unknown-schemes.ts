import type { Element, Root } from 'hast';
import type { VFile } from 'vfile';
import { eachElement, property } from './elements.ts';
import { pageData } from './page-data.ts';
import { sanitiseSchema } from './sanitise-schema.ts';

/** Reports links and pictures whose addresses the sanitiser will remove. Runs before it. */
export function unknownSchemes() {
  return (tree: Root, file: VFile): void =>
    eachElement(tree, (node) => {
      const { line, column } = node.position?.start ?? { line: 1, column: 1 };
      const { faults } = pageData(file);
      const ofLink = node.tagName === 'a' ? unknownScheme(node, 'href') : undefined;
      if (ofLink) {
        const message = `The link begins with ${ofLink}:, which is not allowed: only its text is shown.`;
        faults.push({ line, column, rule: 'broken-link', message });
      }
      const ofPicture = node.tagName === 'img' ? unknownScheme(node, 'src') : undefined;
      if (!ofPicture) return;
      const message = `The picture’s address begins with ${ofPicture}:, which is not allowed: save it beside the page.`;
      faults.push({ line, column, rule: 'missing-image', message });
    });
}

function unknownScheme(node: Element, name: 'href' | 'src'): string | undefined {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(property(node, name) ?? '')?.[1]?.toLowerCase();
  return scheme && !sanitiseSchema.protocols?.[name]?.includes(scheme) ? scheme : undefined;
}
