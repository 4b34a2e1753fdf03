/** Whether Express gave up sending a file because the client closed its connection: nobody waits for an answer. */
export function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNABORTED';
}
