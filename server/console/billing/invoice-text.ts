import bidiFactory from 'bidi-js/dist/bidi.mjs';
import { type Font, openSync } from 'fontkit';
import { withLatinDigits } from '../../../client/contract/digits.ts';
import type { FontFiles, Weight } from './invoice-fonts.ts';

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const clustersOf = (text: string) => [...graphemes.segment(text)].map(({ segment }) => segment);
/** Signs that only steer the order of a text. */
const orderSigns = /[\u061c\u200e\u200f\u2066-\u2069]/g;
/** Embeddings and overrides: they could make a name read as another one. */
const orderOverrides = /[\u202a-\u202e]/g;
/** A part of a text, isolated: it does not change the order of what is around it. */
export const apart = (text: string) => `\u2068${text}\u2069`;

/** Letters of one font and one direction that are beside each other in a line. */
interface Run {
  text: string;
  font: number;
  isFromRight: boolean;
  /** Whether it consists of digits that are read from left to right, but belong to a script that is not. */
  isArabicDigits: boolean;
  width: number;
}

interface Line {
  /** From left to right. */
  runs: Run[];
  width: number;
  /** Above and below the line on which the letters stand. */
  above: number;
  below: number;
}

/** A text as it is drawn within a width. */
export interface LaidText {
  lines: Line[];
  weight: Weight;
  size: number;
  height: number;
  /** From its top to where the letters of its first line stand. */
  above: number;
}

interface Style {
  weight: Weight;
  size: number;
  width: number;
}

/**
 * Lays out texts of any script: in the order in which they are read, and with the first font that has the letters. The
 * PDF library has one font at a time, and the order of its words is always from left to right.
 */
export class InvoiceText {
  /** Letters that no font has: boxes are drawn for them. */
  readonly missing = new Set<string>();
  readonly #pdf: PDFKit.PDFDocument;
  readonly #files: FontFiles[];
  readonly #opened = new Map<string, Font>();

  constructor(pdf: PDFKit.PDFDocument, files: FontFiles[]) {
    this.#pdf = pdf;
    this.#files = files;
  }

  lay(text: string, style: Style): LaidText {
    const paragraphs = text
      .replace(/[\t\r\f\v]/g, ' ')
      .replace(orderOverrides, '')
      .split('\n');
    const lines = paragraphs.flatMap((paragraph) => this.#wrap(paragraph, style));
    const height = lines.reduce((sum, { above, below }) => sum + above + below, 0);
    return { lines, ...style, height, above: lines[0]?.above ?? 0 };
  }

  /** Draws a text whose top left corner is given. @param right the edge to which it is aligned, instead of the left one */
  draw({ lines, weight, size }: LaidText, x: number, y: number, right?: number): void {
    let top = y;
    for (const { runs, width, above, below } of lines) {
      let at = right === undefined ? x : right - width;
      for (const run of runs) {
        const place = { lineBreak: false, baseline: 'alphabetic', ...shaping(run) } as const;
        this.#use(run.font, weight, size).text(run.text, at, top + above, place);
        at += run.width;
      }
      top += above + below;
    }
  }

  #wrap(text: string, style: Style): Line[] {
    const levels = bidi.getEmbeddingLevels(text, 'auto');
    const fonts = clustersOf(text).flatMap((cluster) => Array<number>(cluster.length).fill(this.#fontFor(cluster)));
    const line = (start: number, end: number): Line => {
      const runs: (Run & { last: number; from: number; to: number })[] = [];
      const order = start < end ? bidi.getReorderedIndices(text, levels, start, end - 1) : [];
      // Those of the whole text, of which only this line's are reordered.
      for (const at of order.slice(start, end)) {
        const run = runs.at(-1);
        const font = fonts[at] ?? 0;
        const isFromRight = (levels.levels[at] ?? 0) % 2 === 1;
        const isArabicDigits = withLatinDigits(text[at] ?? '') !== text[at];
        if (
          run?.font !== font ||
          run.isFromRight !== isFromRight ||
          run.isArabicDigits !== isArabicDigits ||
          Math.abs(at - run.last) !== 1
        )
          runs.push({ text: '', width: 0, font, isFromRight, isArabicDigits, last: at, from: at, to: at });
        else Object.assign(run, { last: at, from: Math.min(run.from, at), to: Math.max(run.to, at) });
      }
      for (const run of runs) {
        run.text = drawable(text.slice(run.from, run.to + 1), run);
        run.width = this.#use(run.font, style.weight, style.size).widthOfString(run.text, shaping(run));
      }
      const metrics = [0, ...runs.map(({ font }) => font)].map((font) => this.#open(font));
      return {
        runs: runs.filter(({ text: drawn }) => drawn !== ''),
        width: runs.reduce((sum, { width }) => sum + width, 0),
        above: Math.max(...metrics.map(({ ascent, unitsPerEm }) => ascent / unitsPerEm)) * style.size,
        below:
          Math.max(...metrics.map(({ descent, lineGap, unitsPerEm: em }) => (lineGap - descent) / em)) * style.size,
      };
    };
    const lines: Line[] = [];
    const fits = (start: number, end: number) => line(start, end).width <= style.width;
    for (let start = 0; start < text.length; ) {
      const end = lineEnd(text, start, fits);
      lines.push(line(start, end));
      start = end + (/^ */.exec(text.slice(end))?.[0].length ?? 0);
    }
    return lines.length > 0 ? lines : [line(0, 0)];
  }

  #fontFor(cluster: string): number {
    const letters = cluster.replace(/[\p{Default_Ignorable_Code_Point}]/gu, '');
    const has = (font: number) =>
      [...letters].every((letter) => this.#open(font).hasGlyphForCodePoint(letter.codePointAt(0) ?? 0));
    const found = this.#files.findIndex((_, font) => has(font));
    if (found === -1) this.missing.add(letters);
    return Math.max(found, 0);
  }

  #open(font: number): Font {
    const file = this.#files[font]?.regular ?? '';
    const opened = this.#opened.get(file) ?? openFont(file);
    this.#opened.set(file, opened);
    return opened;
  }

  #use(font: number, weight: Weight, size: number): PDFKit.PDFDocument {
    return this.#pdf.font(this.#files[font]?.[weight] ?? '').fontSize(size);
  }
}

function openFont(file: string): Font {
  const font = openSync(file);
  if ('fonts' in font) throw new Error(`${file} is a collection of fonts.`);
  return font;
}

/** The end of the line that begins at `start`: after as many words as fit, or letters if the first word does not. */
function lineEnd(text: string, start: number, fits: (start: number, end: number) => boolean): number {
  let end = start;
  for (const { 0: word, index } of text.slice(start).matchAll(/ *[^ ]+/g)) {
    const next = start + index + word.length;
    if (!fits(start, next)) break;
    end = next;
  }
  if (end > start) return end;
  for (const cluster of clustersOf(text.slice(start))) {
    if (end > start && !fits(start, end + cluster.length)) break;
    end += cluster.length;
  }
  return end;
}

/** Without `features`, the PDF library shapes each word by itself, from left to right, and remembers it. */
const shaping = ({ isFromRight, isArabicDigits }: Run) => (isFromRight || isArabicDigits ? { features: [] } : {});

/** A run's text as the PDF library takes it: it turns letters that are written from right to left around, but no others. */
function drawable(text: string, { isFromRight, isArabicDigits }: Pick<Run, 'isFromRight' | 'isArabicDigits'>): string {
  const shown = text.replace(orderSigns, '');
  // It turns these around too, as if they were letters.
  if (isArabicDigits) return [...shown].toReversed().join('');
  if (!isFromRight) return shown;
  const mirrored = [...shown].map((letter) => bidi.getMirroredCharacter(letter) ?? letter).join('');
  const isTurned = [...mirrored].some((letter) => ['R', 'AL'].includes(bidi.getBidiCharTypeName(letter)));
  return isTurned ? mirrored : clustersOf(mirrored).toReversed().join('');
}
