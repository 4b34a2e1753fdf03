import { announce } from '../browser/live-region.ts';
import { clearNotice, showNotice } from '../browser/notice.ts';
import { report } from '../browser/report.ts';
import { formAddress, pageOf } from '../navigation/links.ts';
import { take } from '../navigation/load.ts';
import { replaceAddress } from '../navigation/navigate.ts';

const pause = 150;
let timer: ReturnType<typeof setTimeout> | undefined;
let last = 0;

/** Fetches the page for the form's fields and replaces only the list, so the caret stays where it is. */
async function refresh(form: HTMLFormElement): Promise<void> {
  const url = formAddress(form, null);
  const region = document.getElementById(form.dataset.filter ?? '');
  // Also when the fields match the displayed list again: a pending response must not replace it.
  last += 1;
  const mine = last;
  if (!url || !region || pageOf(url) === pageOf(location)) return clearNotice();
  try {
    const page = await take(url);
    const found = page.document.getElementById(region.id);
    if (mine !== last || !found || !region.isConnected) return;
    region.replaceWith(document.adoptNode(found));
    replaceAddress(url, page.document.title);
    announce(found.querySelector('strong')?.textContent ?? '');
    clearNotice();
  } catch (error) {
    if (mine !== last || !region.isConnected) return;
    const failure = 'The list could not be filtered.';
    report(failure, error);
    showNotice(failure, () => void refresh(form));
  }
}

/** Narrows the list of `form[data-filter=id-of-the-list]`, after a pause in typing. */
export function narrow(form: HTMLFormElement): void {
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(form), pause);
}
