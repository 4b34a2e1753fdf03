/** The part of the test's environment that a started program gets: nothing that would change what is tested. */
export function bareEnv(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  return { PATH, NODE_ENV: 'production', ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}
