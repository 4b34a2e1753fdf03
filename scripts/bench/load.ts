import autocannon from 'autocannon';

/** Responses per second of a server to `connections` clients over `ms` milliseconds. @throws if one is not 200 */
export async function answersPerSecond(
  port: number,
  path: string,
  connections: number,
  ms: number,
  headers: Record<string, string> = {},
): Promise<number> {
  const url = `http://127.0.0.1:${port}${path}`;
  const result = await autocannon({ url, connections, duration: ms / 1000, headers });
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests of ${path} had no good answer.`);
  return result.requests.total / result.duration;
}
