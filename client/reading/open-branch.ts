import { loadPart } from '../browser/load-part.ts';
import { load } from '../navigation/load.ts';

/** Opens a branch of a long sidebar: its items come from the page that its link leads to, and replace the link. */
export function openBranch(link: HTMLAnchorElement): void {
  loadPart(
    'The list did not load.',
    () => load(new URL(link.href)),
    ({ document: page }) => {
      if (!link.isConnected) return;
      const found = page.querySelector(`.sidebar details[data-branch="${link.dataset.branch}"]`);
      // The content has changed, and the tree with it.
      if (found?.querySelector('summary')?.textContent !== link.textContent) return location.assign(link.href);
      // A copy: the page may still be shown.
      const branch = document.importNode(found, true);
      for (const current of branch.querySelectorAll('[aria-current]')) current.ariaCurrent = null;
      link.replaceWith(branch);
      branch.querySelector('summary')?.focus();
    },
  );
}
