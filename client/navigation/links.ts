/** Addresses this site answers with a page: same origin, not the console, not a file. */
export function isPageAddress(url: URL, origin: string): boolean {
  return url.origin === origin && !/^\/console(\/|$)|\.\w+$/.test(url.pathname);
}

/** Path and query: what makes two addresses the same page. */
export function pageOf({ pathname, search }: URL | Location): string {
  return pathname + search;
}

/** The page a link leads to, when it may be followed without a full load. */
export function softAddress(link: HTMLAnchorElement): URL | undefined {
  if (link.target || link.hasAttribute('download') || !link.href) return undefined;
  const url = new URL(link.href);
  return isPageAddress(url, location.origin) ? url : undefined;
}

/** The link of an event on it or inside of it. */
export function linkOf(event: Event): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  return link ?? undefined;
}

/** The address a GET form leads to; fields left empty are left out. */
export function formAddress(form: HTMLFormElement, submitter: HTMLElement | null): URL | undefined {
  if (form.method !== 'get' || form.target) return undefined;
  const url = new URL(form.action);
  const fields = [...new FormData(form, submitter)].flatMap(([name, value]) =>
    typeof value === 'string' && value ? [[name, value]] : [],
  );
  url.search = new URLSearchParams(fields).toString();
  return isPageAddress(url, location.origin) ? url : undefined;
}
