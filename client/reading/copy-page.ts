import { element } from '../browser/element.ts';
import { copyAndAnnounce } from './copy-and-announce.ts';

async function markdown(address: string): Promise<string> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  return response.text();
}

/** Adds 'Copy page' beside the link to the document's markdown. */
export function addCopyPage(): void {
  const link = document.querySelector<HTMLAnchorElement>('.toc-end a[href$=".md"]');
  const place = link?.parentElement;
  if (!link || !place || place.querySelector('button')) return;
  const button: HTMLButtonElement = element(
    'button',
    { type: 'button', class: 'copy-page', click: () => void copyAndAnnounce(button, () => markdown(link.href)) },
    'Copy page as Markdown',
  );
  place.append(button);
}
