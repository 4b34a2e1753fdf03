import { VFile } from 'vfile';
import type { Brand } from '../../client/contract/site.ts';
import { beyondBounds, bounds, tooCrowded, tooDeep } from './bounds.ts';
import { fillBrand, handWritten } from './brand-text.ts';
import { type Normalised, normalise } from './dialects/normalise.ts';
import type { Syntax } from './dialects/syntax.ts';
import { blankFrontMatter, findFrontMatter, readFrontMatter, type WrittenFront } from './front-matter.ts';
import { createHighlighter } from './highlighter.ts';
import type { LineOrigin } from './includes/include.ts';
import { createOrigins } from './includes/origins.ts';
import {
  brokenPage,
  type CompiledPage,
  type Front,
  type PageFacts,
  type PageKind,
  type PlacedFault,
} from './page-facts.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { CrowdedTextError } from './plugins/crowded-text.ts';
import { newPageData, type PageData } from './plugins/page-data.ts';
import { treeDepth } from './tree-depth.ts';

export interface CompileJob {
  /** Below CONTENT_DIR; only its extension matters, unless the page includes other files. */
  file: string;
  kind: PageKind;
  source: string;
  /** For each source line, where it is written, and what was wrong when the lines were put together. */
  origins?: readonly LineOrigin[];
  readFaults?: readonly PlacedFault[];
  /** Why the text is not compiled, when that is already known. */
  beyond?: string;
}

/** Rejects when the compiler itself fails, e.g. when it runs out of memory. */
export type Compile = (job: CompileJob) => Promise<CompiledPage>;

/**
 * Creates the compiler: front matter, dialects, pipeline. It loads the grammars and the parser. What an author wrote
 * never makes it fail: faults are part of the page.
 */
export async function createCompiler(brand: Brand): Promise<Compile> {
  const highlighter = await createHighlighter();
  const pipelines = new Map<string, Promise<Pipeline>>();
  const pipelineFor = (syntax: Syntax): Promise<Pipeline> => {
    const key = JSON.stringify(syntax);
    const made = pipelines.get(key) ?? createPipeline({ highlighter, syntax });
    pipelines.set(key, made);
    return made;
  };
  return async (job) => {
    const source = job.source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
    const block = findFrontMatter(source);
    const written = readFrontMatter(source, job, block);
    const front = withBrand(written.front, brand);
    const beyond = job.beyond ?? beyondBounds(job.file, source);
    if (beyond) return brokenPage([beyond], front);
    try {
      return await compileText(blankFrontMatter(source, block), written, front, job);
    } catch (error) {
      const sentence = beyondParser(error, job);
      if (sentence === undefined) throw error;
      return brokenPage([sentence], front);
    }
  };

  async function compileText(
    source: string,
    written: WrittenFront,
    front: Front,
    job: CompileJob,
  ): Promise<CompiledPage> {
    const origins = createOrigins(job);
    const text = normalise(source, job.file.endsWith('.mdx'));
    const pipeline = await pipelineFor(text.syntax);
    const file = new VFile(text.markdown);
    const page = newPageData(job.kind, brand, front);
    page.fileOf = (line) => origins.fileOf(text.sourceLine(line));
    page.folderOf = (line) => origins.folderOf(text.sourceLine(line));
    page.namesOwnElements = /<\/?md-[a-z]/.test(job.source);
    file.data.page = page;
    const tree = await pipeline.run(parsed(file, pipeline, text), file);
    if (treeDepth(tree) > bounds.depth) return brokenPage([tooDeep(job.file)], front);
    for (const place of [...page.faults, ...page.references]) place.line = text.sourceLine(place.line);
    for (const place of [...text.faults, ...page.faults, ...page.references]) origins.place(place);
    const faults = [
      ...written.faults,
      ...required(job.kind, page),
      ...byHand(written, brand),
      ...(job.readFaults ?? []),
      ...text.faults,
      ...page.faults,
    ];
    return { facts: factsOf(page, faults), body: { tree, toc: page.toc, text: page.text } };
  }
}

/** Names what the parser refuses by its line in the source. */
function parsed(file: VFile, pipeline: Pipeline, { sourceLine }: Normalised): ReturnType<Pipeline['parse']> {
  try {
    return pipeline.parse(file);
  } catch (error) {
    throw error instanceof CrowdedTextError ? new CrowdedTextError(sourceLine(error.line)) : error;
  }
}

/** The message for a text that no parser can process, however often it is tried; undefined for other faults. */
function beyondParser(error: unknown, job: CompileJob): string | undefined {
  if (error instanceof CrowdedTextError) {
    const place = { file: job.file, line: error.line };
    createOrigins(job).place(place);
    return tooCrowded(place.file, place.line);
  }
  // Parsers and plugins walk trees by recursion: what overflows the stack is nested without end.
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded'
    ? tooDeep(job.file)
    : undefined;
}

function factsOf(page: PageData, faults: PlacedFault[]): PageFacts {
  const { front, heading, intro, ids, topIds, references, excerpt, readingMinutes } = page;
  const found = { front, intro, ids, topIds, references, readingMinutes };
  const places = faults.map(({ file, line, column, rule, message }) => ({
    line,
    column,
    rule,
    message,
    ...(file && { file }),
  }));
  return { ...found, faults: places, ...(heading && { heading }), ...(excerpt && { excerpt }) };
}

function withBrand(front: Front, brand: Brand): Front {
  const filled = { ...front };
  for (const key of ['title', 'description', 'sidebarLabel'] as const) {
    const value = front[key];
    if (value !== undefined) filled[key] = fillBrand(value, brand);
  }
  return filled;
}

/** Only the index knows whether tags and authors are required. */
function required(kind: PageKind, { front, heading }: PageData): PlacedFault[] {
  if (kind !== 'post' || front.title !== undefined || heading !== undefined) return [];
  return [{ line: 1, column: 1, rule: 'front-matter', message: 'A post needs a title in its front matter.' }];
}

function byHand({ front, at }: WrittenFront, brand: Brand): PlacedFault[] {
  return (['title', 'description'] as const)
    .filter((key) => handWritten(front[key] ?? '', brand).length > 0)
    .map((key) => ({
      ...at([key]),
      rule: 'brand-name',
      message: `“${brand.name}” is hard-coded in ${key}: write :brand instead.`,
    }));
}
