import rehypeSanitize from 'rehype-sanitize';
import { defListHastHandlers, remarkDefinitionList } from 'remark-definition-list';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import type { Syntax } from './dialects/syntax.ts';
import type { Highlighter } from './highlighter.ts';
import { admonitions } from './plugins/admonitions.ts';
import { brandName } from './plugins/brand-name.ts';
import { cleanTree } from './plugins/clean-tree.ts';
import { codeBlocks } from './plugins/code-blocks.ts';
import { containerSyntax } from './plugins/container-syntax.ts';
import { crowdedText } from './plugins/crowded-text.ts';
import { emoji } from './plugins/emoji.ts';
import { excerpt } from './plugins/excerpt.ts';
import { handlers } from './plugins/handlers.ts';
import { headingIds } from './plugins/heading-ids.ts';
import { mdcHandlers } from './plugins/mdc-handlers.ts';
import { mistakenText } from './plugins/mistaken-text.ts';
import { moreMarker } from './plugins/more-marker.ts';
import { namedAnchors } from './plugins/named-anchors.ts';
import { ownElementsGone, tagsOutOfText } from './plugins/own-elements.ts';
import { plainText } from './plugins/plain-text.ts';
import { rawHtml } from './plugins/raw-html.ts';
import { references } from './plugins/references.ts';
import { sanitiseSchema } from './plugins/sanitise-schema.ts';
import { stateDrawings } from './plugins/state-drawings.ts';
import { tableOfContents } from './plugins/table-of-contents.ts';
import { tables } from './plugins/tables.ts';
import { tabs } from './plugins/tabs.ts';
import { taskLists } from './plugins/task-lists.ts';
import { tightLabels } from './plugins/tight-labels.ts';
import { titleHeading } from './plugins/title-heading.ts';
import { unclosedBlocks } from './plugins/unclosed-blocks.ts';
import { unclosedTags } from './plugins/unclosed-tags.ts';
import { unknownContainers } from './plugins/unknown-containers.ts';
import { unknownElements } from './plugins/unknown-elements.ts';
import { unknownSchemes } from './plugins/unknown-schemes.ts';
import { withoutIndentedCode } from './plugins/without-indented-code.ts';

export type Pipeline = Awaited<ReturnType<typeof createPipeline>>;

/**
 * A page's way from markdown to a clean tree, on one screen. Creates the frozen pipeline for one syntax; what only few
 * pages need is loaded with the first of them.
 */
export async function createPipeline(options: { highlighter: Highlighter; syntax: Syntax }) {
  const { indentedCode, math, mdc } = options.syntax;
  const parser = unified()
    .use(remarkParse)
    // Both read `:::name`, and MDC's components are the wider syntax; footnotes come later and take precedence over its
    // spans.
    .use(mdc ? (await import('./plugins/mdc-syntax.ts')).mdcSyntax : containerSyntax)
    .use(remarkGfm, { singleTilde: false })
    .use(remarkDefinitionList)
    .use(math ? [(await import('./plugins/math-syntax.ts')).mathSyntax] : [])
    .use(crowdedText)
    .use(indentedCode ? [] : [withoutIndentedCode]);
  return (
    parser
      .use(unknownContainers)
      .use(unclosedBlocks)
      .use(mistakenText)
      // The sanitiser prefixes every written id once; a second prefix here would separate footnotes from their links.
      .use(remarkRehype, {
        allowDangerousHtml: true,
        clobberPrefix: '',
        handlers: { ...defListHastHandlers, ...handlers, ...mdcHandlers },
      })
      .use(unclosedTags)
      .use(rawHtml)
      .use(tagsOutOfText)
      .use(moreMarker)
      .use(namedAnchors)
      .use(unknownElements)
      .use(unknownSchemes)
      .use(rehypeSanitize, sanitiseSchema)
      .use(headingIds)
      .use(brandName)
      .use(emoji)
      .use(titleHeading)
      .use(admonitions)
      .use(tabs)
      .use(tightLabels)
      .use(ownElementsGone)
      .use(stateDrawings)
      .use(codeBlocks, { highlighter: options.highlighter })
      .use(tables)
      .use(taskLists)
      .use(references)
      .use(plainText)
      .use(tableOfContents)
      .use(cleanTree)
      .use(excerpt)
      .freeze()
  );
}
