/** The parts of <head> that belong to the page and not to the site. */
const headParts =
  'title,link[rel=canonical],link[rel=alternate],meta:is([name=description],[name=robots],[name^="twitter:"],[property]),script[type="application/ld+json"]';

/** Whether the document has a style sheet, as a file or inlined. */
const isPresent = (file: string | null) =>
  document.querySelector(`link[href="${file}"], style[data-files~="${file}"]`) !== null;

const waitAtMost = 10_000;
/** Style sheets being loaded, by address. */
const coming = new Map<string, Promise<void>>();

/**
 * Adds the style sheets that the page needs and this one lacks. @throws when one of them does not arrive within 10
 * seconds
 */
export async function addStyleSheets(page: Document): Promise<void> {
  const links = [...page.querySelectorAll('link[rel=stylesheet]')];
  await Promise.all(
    links.map((link) => {
      const file = link.getAttribute('href') ?? '';
      return coming.get(file) ?? (isPresent(file) ? undefined : addStyleSheet(link, file));
    }),
  );
}

function addStyleSheet(link: Element, file: string): Promise<void> {
  const added = document.importNode(link, true);
  const loaded = new Promise<void>((resolve, reject) => {
    const fail = () => reject(new Error(`${file} did not load`));
    added.addEventListener('load', () => resolve());
    added.addEventListener('error', fail);
    setTimeout(fail, waitAtMost);
    document.head.append(added);
  })
    .catch((error) => {
      // Otherwise the next page that needs it would consider it present.
      added.remove();
      throw error;
    })
    .finally(() => coming.delete(file));
  coming.set(file, loaded);
  return loaded;
}

/**
 * Shows a loaded page in place of the current one; a new <main> restarts the fade. Its nodes are moved: copies of the
 * data blocks among them would be script that Trusted Types has not seen parsed.
 */
export function swap(page: Document): void {
  const main = page.querySelector('main');
  if (!main) throw new Error('The page has no main region.');
  const restore = rememberSidebar();
  for (const old of document.head.querySelectorAll(headParts)) old.remove();
  for (const part of page.head.querySelectorAll(headParts)) document.head.append(document.adoptNode(part));
  document.documentElement.dataset.soft = '';
  document.querySelector('main')?.replaceWith(document.adoptNode(main));
  restore();
}

/** Branches by what identifies them: those of a long sidebar have ids, since no page has all of them. */
const branchesOf = (sidebar: Element) =>
  new Map(Array.from(sidebar.querySelectorAll('details'), (branch, at) => [branch.dataset.branch ?? at, branch]));

/** Remembers the sidebar's open branches, including loaded ones, and its scroll position. */
function rememberSidebar(): () => void {
  const old = document.querySelector('.sidebar');
  if (!old) return () => {};
  const { scrollTop, ariaLabel } = old;
  const before = branchesOf(old);
  return () => {
    const sidebar = document.querySelector('.sidebar');
    if (sidebar?.ariaLabel !== ariaLabel) return;
    for (const current of old.querySelectorAll('[aria-current]')) current.ariaCurrent = null;
    for (const [id, branch] of branchesOf(sidebar)) branch.open ||= before.get(id)?.open ?? false;
    for (const link of sidebar.querySelectorAll<HTMLElement>('a[data-branch]')) {
      const loaded = before.get(link.dataset.branch ?? '');
      if (loaded) link.replaceWith(loaded);
    }
    sidebar.scrollTop = scrollTop;
  };
}
