import type { Element, Root } from 'hast';
import type { VFile } from 'vfile';
import { pageData } from './page-data.ts';
import { sanitiseSchema } from './sanitise-schema.ts';

// HTML elements whose text stays, and those that show nothing to a reader.
const harmless = new Set(
  (
    'address article aside bdi bdo big body button center data dialog fieldset font footer form head header hgroup ' +
    'html label legend main menu meter nav nobr output progress search section slot time ' +
    'base basefont bgsound link meta noscript param script style template title track colgroup source'
  ).split(' '),
);
// HTML elements that are not shown, with everything inside.
const lost = new Set(
  (
    'applet area audio canvas datalist embed frame frameset iframe map math object optgroup option select svg ' +
    'textarea video'
  ).split(' '),
);
const kept = new Set(sanitiseSchema.tagNames);

/**
 * Reports elements that the sanitiser will remove: other tools' components, words in angle brackets, videos. Runs
 * before the sanitiser.
 */
export function unknownElements() {
  return (tree: Root, file: VFile): void => look(tree, file);
}

function look(parent: Root | Element, file: VFile): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue;
    const isLost = lost.has(child.tagName);
    if (isLost || !(kept.has(child.tagName) || harmless.has(child.tagName))) report(child, isLost, file);
    if (!isLost) look(child, file);
  }
}

function report(node: Element, isLost: boolean, file: VFile): void {
  const { line, column } = node.position?.start ?? { line: 1, column: 1 };
  const message = isLost
    ? `<${node.tagName}> is not shown here: use a link or a picture instead.`
    : unknownMessage(writtenName(node, file), node.children.length > 0);
  pageData(file).faults.push({ line, column, rule: 'unknown-component', message });
}

function unknownMessage(name: string, holdsSomething: boolean): string {
  if (/[A-Z.-]/.test(name))
    return `<${name}> is not supported: ${holdsSomething ? 'only its content is shown' : 'its content is missing'}.`;
  return `<${name}> is not an HTML element and is not shown: write it as code, or with &lt; if it is text.`;
}

/** The HTML parser lowercases all names. */
function writtenName(node: Element, file: VFile): string {
  const offset = node.position?.start.offset;
  const source = offset === undefined ? '' : String(file.value).slice(offset, offset + 200);
  const found = /^<([\w.:-]+)/.exec(source)?.[1];
  return found?.toLowerCase() === node.tagName ? found : node.tagName;
}
