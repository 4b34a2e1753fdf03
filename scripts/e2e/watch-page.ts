import type { Page } from 'playwright';

/** What went wrong in a page while a test used it. */
export interface Problems {
  /** Faults that a test provokes on purpose, e.g. the console's line about a status of 404. */
  allow(pattern: RegExp): void;
  /** Faults that were not allowed, in order of occurrence. */
  list(): string[];
}

const telling = /hydrat|did not match|Content[- ]Security[- ]Policy|Trusted ?Type|Permissions[- ]Policy/i;

/** Records console errors, hydration and policy warnings, uncaught errors, CSP violations and failed requests. */
export function watchPage(page: Page): Problems {
  const seen: string[] = [];
  const allowed: RegExp[] = [];
  page.on('pageerror', (error) => seen.push(`uncaught error: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const fatal = message.type() === 'error' || (message.type() === 'warning' && telling.test(message.text()));
    if (fatal) seen.push(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? 'unknown';
    // A page that is left drops its unfinished requests; that is not a fault.
    if (reason !== 'net::ERR_ABORTED') seen.push(`request failed: ${request.url()} (${reason})`);
  });
  page.on('response', (response) => {
    const subresource = !response.request().isNavigationRequest();
    if (subresource && response.status() >= 400) seen.push(`status ${response.status()}: ${response.url()}`);
  });
  return {
    allow: (pattern) => allowed.push(pattern),
    list: () => seen.filter((problem) => !allowed.some((pattern) => pattern.test(problem))),
  };
}
