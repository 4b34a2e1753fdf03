/** Random numbers that are the same for the same seed (mulberry32), so a failing request can be repeated. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const methods = [
  ...Array<string>(12).fill('GET'),
  'HEAD',
  'POST',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'get',
  'PROPFIND',
  'BREW',
  '',
];
const paths = [
  '/', '/why', '/docs/intro', '/docs', '/blog', '/blog/tags/ai', '/connector?kind=queue', '/login', '/logout', '/addviewlog', '/getPublicKey',
  '/rdp/console/api/v1/user/queryLoginUser', '/cloudcanal/console/api/v1/inner/billing/list', '/healthz', '/readyz', '/favicon.svg', '/large.csv', '/assets/entry.A1b2C3.js',
  '/assets/', '/index.html', '/search', '/search.json?q=a', '/sitemap.xml', '/robots.txt', '/docs/intro.md', '/preview/home.png', '/404', '/constructor', '/__proto__', '*', 'http://evil.example/', 'http://localhost/why', '//evil.example/', '',
]; // biome-ignore format: one list
const pieces = [
  '/', '..', '%2e%2e', '%2f', '%5c', '\\', '%00', '\0', '%zz', '%', '%c0%af', '%ff', '%ed%a0%80', '?', '&', '=', '#', ';', ':', '@', 'index', '.html', 'index.html',
  '.md', '%0d%0aX: y', '%20', '+', 'é', '😀', '~', '{{7*7}}', '<script>', "'", '"', '%25', '%252e', 'a'.repeat(300), 'A', '__proto__', 'constructor', 'toString', '[', ']', '$', '..;/',
]; // biome-ignore format: one list
const headerLines = [
  'Host: evil.example', 'Host: a b', 'Host:', 'Host: [::1]:80', 'Host: a/b', 'Host: a@b', 'Connection: upgrade\r\nUpgrade: websocket',
  'Accept-Encoding: br;q=x, *;q=0', 'Accept-Encoding: gzip', 'Accept-Encoding: br', 'If-None-Match: *', 'If-None-Match: "', 'If-None-Match: W/"a", "b', 'If-Modified-Since: x', 'If-Modified-Since: Sat, 21 Nov 2099 00:00:00 GMT',
  'Range: bytes=0-1', 'Range: bytes=9-0', 'Range: x', 'Range: bytes=9999999-', 'If-Range: "x"', 'If-Match: "x"', 'If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT', 'Expect: 100-continue', 'Expect: x', 'Content-Type: application/json', 'Content-Type: text/plain', 'Content-Type: application/json; charset=utf-16',
  'Content-Encoding: gzip', 'Transfer-Encoding: chunked', 'Transfer-Encoding: x', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length: 99999999999999999999', 'Content-Length: 0x5', 'X-Forwarded-For: 1.1.1.1', 'Forwarded: for=x',
  'Authorization: Bearer é', `Cookie: ${'c'.repeat(4000)}`, 'X-Request-Id: \u0001', 'X: \0', ': x', 'no colon', ` folded: x`, `Long: ${'x'.repeat(17_000)}`, 'X-HTTP-Method-Override: DELETE', 'X-Original-URL: /admin', 'Accept: */*', 'Trailer: X', 'TE: trailers', 'Upgrade-Insecure-Requests: 1', 'Sec-Fetch-Site: cross-site',
]; // biome-ignore format: one list
const bodies = [
  '', '{}', '{"a":1}', '[', '{"a":', '"\\u0000"', '[[[[[[[[[[[[]]]]]]]]]]]]', 'null', '1e999', '{"__proto__":{}}', '{"uri":"/"}', '{"uri":"/","x":1}', '{"uri":1}', '\xff\xfe', 'a=1', '5\r\nhello\r\n0\r\n\r\n', '5\r\nhel', 'x'.repeat(40_000),
]; // biome-ignore format: one list

/** Builds a request from parts that are each slightly wrong: bytes for the wire, closed after the first answer. */
export function generateRequest(random: () => number): string {
  // Most parts are left unchanged, so requests get past the first check.
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const some = (values: readonly string[], most: number) =>
    Array.from({ length: Math.floor(random() ** 3 * (most + 1)) }, () => pick(values));
  let target = pick(paths);
  for (const piece of some(pieces, 4)) {
    const at = Math.floor(random() * (target.length + 1));
    target = target.slice(0, at) + piece + target.slice(at);
  }
  const version = random() < 0.95 ? 'HTTP/1.1' : pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9', '']);
  const host = random() < 0.95 ? ['Host: localhost'] : [];
  const body = random() < 0.35 ? pick(bodies) : '';
  const length =
    body !== '' && random() < 0.9
      ? [`Content-Length: ${Buffer.byteLength(body)}`, 'Content-Type: application/json']
      : [];
  const lines = [
    `${pick(methods)} ${target} ${version}`,
    ...host,
    ...some(headerLines, 3),
    ...length,
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
