import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { crowdedText } from './plugins/crowded-text.ts';

/**
 * Reads markdown as GitHub does, for code that inspects a text without compiling it. `parse` throws CrowdedTextError.
 */
export const markdownParser = unified().use(remarkParse).use(remarkGfm).use(crowdedText).freeze();
