import { expect, test } from 'vitest';
import { CachedResponse } from './cached-response.ts';

/** Names and values as a client would see them. */
function headersOf(flat: readonly string[]): Record<string, string> {
  const pairs = Array.from({ length: flat.length / 2 }, (_, index) => [
    flat[2 * index]?.toLowerCase(),
    flat[2 * index + 1],
  ]);
  return Object.fromEntries(pairs);
}

const parts = {
  status: 200,
  route: '/',
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
  },
  vary: ['X-Kind'],
  body: Buffer.alloc(2000, 'Rows that change at the source. '),
  lastModified: Date.UTC(2026, 0, 1),
};

test('a 304 has the headers that update a cached copy, and none that describe the body', async () => {
  const { notModifiedHeaders, headers, tags } = await new CachedResponse(parts).variant('gzip');
  const kept = {
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'",
    vary: 'Accept-Encoding, X-Kind',
    etag: tags[0],
    'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  };
  expect(headersOf(notModifiedHeaders)).toEqual(kept);
  expect(headersOf(headers)).toEqual({
    ...kept,
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-encoding': 'gzip',
    'content-length': expect.stringMatching(/^\d+$/),
  });
  expect(tags[0]).toMatch(/^"[\w-]{20}-gz"$/);
});

test('a page that is not found has no validators', async () => {
  const { headers } = await new CachedResponse({ ...parts, status: 404 }).variant('identity');
  expect(headersOf(headers)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    vary: 'Accept-Encoding, X-Kind',
    'content-length': '2000',
  });
});

test.each([
  ['text/plain; charset=utf-8', 'gzip'],
  ['application/json', 'gzip'],
  ['application/javascript', 'gzip'],
  ['application/xml', 'gzip'],
  ['application/yaml', 'gzip'],
  ['application/manifest+json', 'gzip'],
  ['application/atom+xml; charset=utf-8', 'gzip'],
  ['image/svg+xml', 'gzip'],
  ['image/png', undefined],
  ['application/gzip', undefined],
  ['application/pdf; was=text/plain', undefined],
])('%s is compressed as: %s', async (type, coding) => {
  const { headers } = await new CachedResponse({ ...parts, headers: { 'Content-Type': type }, vary: [] }).variant(
    'gzip',
  );
  const { vary, 'content-encoding': encoding } = headersOf(headers);
  expect([encoding, vary]).toEqual([coding, coding && 'Accept-Encoding']);
});

test('bodies of 256 bytes or more are compressed', async () => {
  const codingOf = async (bytes: number) => {
    const { headers } = await new CachedResponse({ ...parts, body: Buffer.alloc(bytes, 'a') }).variant('br');
    return headersOf(headers)['content-encoding'];
  };
  expect([await codingOf(255), await codingOf(256)]).toEqual([undefined, 'br']);
});

test('the weight of a page covers the bytes of all its codings', async () => {
  for (const lines of [0, 1, 5_000]) {
    const body = Buffer.from(
      Array.from({ length: lines }, (_, line) => `Row ${line} is written at the target.`).join('\n'),
    );
    const response = new CachedResponse({ ...parts, body });
    const forms = [response.variant('identity'), response.variant('gzip'), response.variant('br')];
    const held = (await Promise.all(forms)).reduce((sum, form) => sum + form.body.length, 0);
    expect(response.weight).toBeGreaterThan(held);
    // Not so large that a page would be thought too large to be cached.
    expect(response.weight).toBeLessThan(held * 2 + 10_000);
  }
});

test('each coding is created once, and the one from the build is used as is', async () => {
  const response = new CachedResponse({ ...parts, brotli: Buffer.from('made by the build') });
  for (const coding of ['identity', 'gzip', 'br'] as const)
    expect(await response.variant(coding)).toBe(await response.variant(coding));
  const { body, tags } = await response.variant('br');
  expect([body.toString(), tags]).toEqual(['made by the build', [expect.stringMatching(/^"[\w-]{20}-br"$/)]]);
  expect((await response.variant('identity')).tags).toEqual([expect.stringMatching(/^"[\w-]{20}"$/)]);
});
