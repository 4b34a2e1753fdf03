import type { AppError } from '../errors.ts';

/** A small page without style or script, for requests that are rejected before a page is looked up. */
export function errorPage(error: AppError, requestId: string): string {
  const { status, message } = error;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${status}</title>
<h1>${status}</h1>
<p>${message}</p>
<p><a href="/">Home</a></p>
<p><small>Request ${requestId}</small></p>
</html>
`;
}
