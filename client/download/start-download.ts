import { onClick } from '../browser/element.ts';
import { loadPart } from '../browser/load-part.ts';
import { local } from '../browser/storage.ts';

const flag = 'openDownloadModal';

function open(orderProductType?: string): void {
  loadPart(
    'The download dialog did not load.',
    () => import('./open.tsx'),
    ({ openDownload }) => openDownload(orderProductType),
  );
}

/** `[data-download]` opens the download dialog; without scripts it is a link to the sign-in page. */
export function startDownload(): void {
  onClick('[data-download]', (button, event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // React writes an attribute without a value as 'true'.
    const { download } = button.dataset;
    open(download === 'true' ? undefined : download || undefined);
  });
}

/** Opens the dialog on the home page after a sign-in that a download started. */
export function openWantedDownload(): void {
  if (location.pathname !== '/' || local.get(flag) === null) return;
  local.set(flag, null);
  open();
}
