import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const text = /\.(?:css|html|js|json|mjs|svg|txt|xml)$/;
/** Bytes; the server sends smaller files as they are. */
const worthCompressing = 256;

/**
 * Writes the smallest brotli form of every text file in a folder beside it, as `<name>.br`.
 * @param {string} folder @param {number} since in epoch milliseconds; older files are as they were
 */
export function compressBelow(folder, since) {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!text.test(name)) continue;
    const file = join(folder, name);
    if (statSync(file).mtimeMs < since) continue;
    const body = readFileSync(file);
    if (body.length < worthCompressing) continue;
    const params = {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    };
    writeFileSync(`${file}.br`, brotliCompressSync(body, { params }));
  }
}
