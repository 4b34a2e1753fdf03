import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const packed = promisify(deflate);

/**
 * Writes pixels as a PNG. The drawing library's own encoder takes most of the time and blocks the event loop; here
 * compression runs on another thread.
 * @param pixels red, green, blue and opacity of each pixel, row by row
 */
export async function encodePng(pixels: Uint8Array, width: number, height: number): Promise<Buffer> {
  const stride = width * 4;
  // Each row begins with its filter type, 0 for none.
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) rows.set(pixels.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each of red, green, blue and opacity.
  header.set([8, 6], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', await packed(rows)), chunk('IEND')]);
}

function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}
