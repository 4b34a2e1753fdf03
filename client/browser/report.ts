/** Writes a failure to the console and nowhere else; callers must not pass tokens, codes or passwords. */
export function report(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: for whoever looks for the cause in the browser.
  console.error(what, error);
}

/** Writes a warning to the console. */
export function warn(what: string): void {
  // biome-ignore lint/suspicious/noConsole: for whoever looks for the cause in the browser.
  console.warn(what);
}
