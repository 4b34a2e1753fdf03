/** Takes the level-1 heading out of the text: it is the page's title. Further ones become level 2. */
import type { Root } from 'hast';
import { toString as textOf } from 'hast-util-to-string';
import type { VFile } from 'vfile';
import { eachElement, isBlank, isElement, property } from './elements.ts';
import { pageData } from './page-data.ts';

/** A heading that stands first, or that has to serve as the title, leaves the tree. */
export function titleHeading() {
  return (tree: Root, file: VFile): void => {
    const page = pageData(file);
    const first = tree.children.find((child) => !isBlank(child));
    const heading = tree.children.find((child) => isElement(child, 'h1'));
    if (isElement(heading, 'h1') && (heading === first || page.front.title === undefined)) {
      tree.children.splice(tree.children.indexOf(heading), 1);
      page.heading = textOf(heading).trim();
      page.topIds.push(property(heading, 'id') ?? '');
    }
    eachElement(tree, (node) => {
      if (node.tagName === 'h1') node.tagName = 'h2';
    });
  };
}
