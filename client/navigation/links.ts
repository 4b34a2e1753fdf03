/** The address, if this site answers it with a page: same origin, not the console, not a file. */
export function pageAddress(href: string, origin: string): URL | undefined {
  // A link that no browser can follow stays as its author wrote it.
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return url.origin === origin && !/^\/console(\/|$)|\.\w+$/.test(url.pathname) ? url : undefined;
}

/** Path and query: what makes two addresses the same page. */
export function pageOf({ pathname, search }: URL | Location): string {
  return pathname + search;
}

/** A link's page, when it may be followed without a full load. */
export function softAddress(link: HTMLAnchorElement): URL | undefined {
  if (link.target || link.hasAttribute('download')) return undefined;
  return pageAddress(link.href, location.origin);
}

/** The link at or around an event's target. */
export function linkOf(event: Event): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  return link ?? undefined;
}

/** The address that a GET form leads to; empty fields are left out. */
export function formAddress(form: HTMLFormElement, submitter: HTMLElement | null): URL | undefined {
  if (form.method !== 'get' || form.target) return undefined;
  const url = pageAddress(form.action, location.origin);
  if (!url) return undefined;
  const fields = [...new FormData(form, submitter)].flatMap(([name, value]) =>
    typeof value === 'string' && value ? [[name, value]] : [],
  );
  url.search = new URLSearchParams(fields).toString();
  return url;
}
