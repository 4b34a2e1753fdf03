import { Resvg } from '@resvg/resvg-js';
import { expect, test } from 'vitest';
import { readSiteData } from '../../content/data/site-data.ts';
import { drawCard } from './card.ts';
import { encodePng } from './png.ts';

const { data } = readSiteData('content', 'content', 'millrace');

/** The pixels of a PNG as another program reads them. */
function pixelsOf(png: Buffer, width: number, height: number): Buffer {
  const image = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${image}</svg>`;
  return new Resvg(svg, { imageRendering: 1 }).render().pixels;
}

test('pixels come back from a PNG as they went in', async () => {
  const pixels = Buffer.from(Array.from({ length: 3 * 2 }, (_, at) => [at * 40, 255 - at, 7, 255]).flat());
  expect(pixelsOf(await encodePng(pixels, 3, 2), 3, 2)).toEqual(pixels);
});

test('a card is a picture of 1200 by 630 with the paper in its corner and ink on it', async () => {
  const png = await drawCard({ title: 'Rows that change', section: 'Documents', brand: data.brand });
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  const pixels = pixelsOf(png, 1200, 630);
  expect([...pixels.subarray(0, 4)]).toEqual([0xfb, 0xf9, 0xf4, 255]);
  expect(pixels.includes(Buffer.from([0x1c, 0x24, 0x30, 255]))).toBe(true);
});
