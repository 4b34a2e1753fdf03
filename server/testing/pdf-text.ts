import { inflateSync } from 'node:zlib';

/** The inflated stream of a PDF object. */
function streamOf(object: string): string {
  const [, bytes] = /stream\n(.*)\nendstream/s.exec(object) ?? [];
  return bytes === undefined ? '' : inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1');
}

/** What each of a font's glyphs stands for: ranges of four hexadecimal digits, then UTF-16 in angle brackets. */
function glyphsOf(map: string): Map<number, string> {
  const glyphs = new Map<number, string>();
  for (const [, first = '', texts = ''] of map.matchAll(/<([\da-f]{4})> <[\da-f]{4}> \[([^\]]*)\]/g)) {
    for (const [at, [, hex = '']] of [...texts.matchAll(/<([\da-f ]*)>/g)].entries()) {
      const text = Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le');
      glyphs.set(Number.parseInt(first, 16) + at, text);
    }
  }
  return glyphs;
}

/** The heights at which lines of text are drawn, in points, top to bottom, for a PDF of one page. */
export function pdfHeights(bytes: Buffer): number[] {
  const objects = bytes.toString('latin1').matchAll(/\d+ 0 obj\n(.*?)\nendobj/gs);
  const drawn = [...objects].flatMap(([, object = '']) => [...streamOf(object).matchAll(/ ([\d.]+) Tm\n\/F/g)]);
  return [...new Set(drawn.map(([, height]) => Number(height)))].sort((one, two) => two - one);
}

/** The words of a PDF with embedded fonts, one entry per drawn line. */
export function pdfText(bytes: Buffer): string[] {
  const found = bytes.toString('latin1').matchAll(/(\d+) 0 obj\n(.*?)\nendobj/gs);
  const objects = new Map([...found].map(([, id = '', object = '']) => [id, object]));
  const named = [...objects.values()].flatMap((object) => [...object.matchAll(/\/(F\d+) (\d+) 0 R/g)]);
  const fonts = new Map(
    named.map(([, name = '', id = '']) => {
      const [, map = ''] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '') ?? [];
      return [name, glyphsOf(streamOf(objects.get(map) ?? ''))];
    }),
  );
  const drawn = [...objects.values()].flatMap((object) => [
    ...streamOf(object).matchAll(/\/(F\d+) [\d.]+ Tf(.*?)\nET/gs),
  ]);
  return drawn.map(([, font = '', content = '']) => {
    // A glyph that is moved, such as a mark, begins another piece.
    const pieces = [...content.matchAll(/\[([^\]]*)\] TJ/g)].map(([, piece = '']) => piece).join(' ');
    const hex = [...pieces.matchAll(/<([\da-f]*)>/g)].map(([, piece]) => piece).join('');
    const glyphs = hex.match(/.{4}/g) ?? [];
    return glyphs.map((glyph) => fonts.get(font)?.get(Number.parseInt(glyph, 16)) ?? '\ufffd').join('');
  });
}
