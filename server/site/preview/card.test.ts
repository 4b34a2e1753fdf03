import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { readSiteData } from '../../content/data/site-data.ts';
import { drawCard } from './card.ts';
import { encodePng } from './png.ts';

const { data } = readSiteData('content', 'content', 'millrace');

/** A PNG's pixels as another program reads them. */
function pixelsOf(png: Buffer, width: number, height: number): Buffer {
  const image = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`;
  return new Resvg(svg, { imageRendering: 1 }).render().pixels;
}

test('a PNG contains the pixels that were encoded', async () => {
  const pixels = Buffer.from(Array.from({ length: 3 * 2 }, (_, at) => [at * 40, 255 - at, 7, 255]).flat());
  expect(pixelsOf(await encodePng(pixels, 3, 2), 3, 2)).toEqual(pixels);
});

test('a card is a picture of 1200 by 630 with paper in the corner and ink on it', async () => {
  const png = await drawCard({ title: 'Rows that change', section: 'Documents', brand: data.brand });
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  const pixels = pixelsOf(png, 1200, 630);
  expect([...pixels.subarray(0, 4)]).toEqual([0xfb, 0xf9, 0xf4, 255]);
  expect(pixels.includes(Buffer.from([0x1c, 0x24, 0x30, 255]))).toBe(true);
});

/** The box around everything in a part of a card that is not paper. */
function inkOf(pixels: Buffer, top: number, bottom: number) {
  const box = { left: 1200, right: -1, top: bottom, bottom: -1 };
  for (let y = top; y < bottom; y += 1)
    for (let x = 0; x < 1200; x += 1) {
      if (pixels.readUInt32BE((y * 1200 + x) * 4) === 0xfbf9f4ff) continue;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  return { ...box, height: box.bottom - box.top + 1 };
}

async function drawn(title: string) {
  return pixelsOf(await drawCard({ title, section: 'Documents', brand: data.brand }), 1200, 630);
}

test('section, title and name share a left margin, and the channel spans the card', async () => {
  const pixels = await drawn('Hills');
  const [section, title, name] = [inkOf(pixels, 0, 132), inkOf(pixels, 132, 462), inkOf(pixels, 520, 630)];
  for (const { left, right } of [section, title, name]) {
    expect(left).toBeGreaterThanOrEqual(80);
    expect(left).toBeLessThan(90);
    expect(right).toBeLessThan(600);
  }
  expect([section.height > 20, title.height > section.height, name.height > section.height]).toEqual([
    true,
    true,
    true,
  ]);
  // Centred in its space.
  expect(Math.abs((title.top + title.bottom) / 2 - 297)).toBeLessThan(20);

  const line = (y: number) =>
    [0, 600, 1199].map((x) =>
      pixels
        .readUInt32BE((y * 1200 + x) * 4)
        .toString(16)
        .padStart(8, '0'),
    );
  const of = (colour: string) => [colour, colour, colour];
  expect([488, 489].map(line)).toEqual([of('e3ddd0ff'), of('e3ddd0ff')]);
  expect([496, 501].map(line)).toEqual([of('0f5fa8ff'), of('0f5fa8ff')]);
  expect([508, 509].map(line)).toEqual([of('e3ddd0ff'), of('e3ddd0ff')]);
  for (const y of [487, 490, 495, 502, 507, 510]) expect(line(y)).toEqual(of('fbf9f4ff'));
  // The line above the title is paler than the title.
  expect(pixels.subarray(0, 132 * 1200 * 4).includes(Buffer.from([0x56, 0x60, 0x70, 255]))).toBe(true);
});

test('a long title is set smaller so that it fits', async () => {
  const long =
    'Rows that change at the source are written at the target within three seconds, whoever reads them meanwhile';
  const ink = inkOf(await drawn(long), 132, 488);
  expect([ink.top > 132, ink.bottom < 462, ink.left >= 80, ink.right < 1120]).toEqual([true, true, true, true]);
  // The capitals of a short title are about 50 px high.
  expect(inkOf(await drawn('H'), 132, 488).height).toBeGreaterThan(48);
});
