import type { Element, Root } from 'hast';
import type { ComponentPropsWithoutRef } from 'react';
import * as production from 'react/jsx-runtime';
import rehypeReact from 'rehype-react';
import { unified } from 'unified';

type Props<Tag extends 'p' | 'th'> = ComponentPropsWithoutRef<Tag> & { node?: Element };

/** A drawing alone in its paragraph; wide ones scroll on a small screen to keep their text readable. */
function Paragraph({ node, ...props }: Props<'p'>) {
  const [only, second] = node?.children ?? [];
  const wide = !second && only?.type === 'element' && only.tagName === 'img' && Number(only.properties.width) > 480;
  return <p {...props} {...(wide && widePicture)} />;
}

/** The empty corner cell of a table is not a header. */
function HeaderCell({ node, ...props }: Props<'th'>) {
  return node?.children.length ? <th {...props} /> : <td {...props} />;
}

/** A scrolling element must be reachable by keyboard. */
const widePicture = { className: 'wide-picture', tabIndex: 0 };

const processor = unified()
  .use(rehypeReact, {
    ...production,
    components: { p: Paragraph, th: HeaderCell },
    passNode: true,
    tableCellAlignToStyle: false,
  })
  .freeze();

/** Compiled markdown as elements; prose.css styles each of them. */
export function Prose({ tree }: { tree: Root }) {
  return <div className="prose">{processor.stringify(tree)}</div>;
}
