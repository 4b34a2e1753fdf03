import { onClick } from '../browser/element.ts';
import { retryNotice } from '../browser/notice.ts';
import { report } from '../browser/report.ts';
import { local } from '../browser/storage.ts';

const flag = 'openDownloadModal';

let notice: HTMLElement | undefined;

function open(orderProductType?: string): void {
  notice?.remove();
  import('./open.tsx').then(
    ({ openDownload }) => openDownload(orderProductType),
    (error: unknown) => {
      const text = 'The download dialog did not load.';
      report(text, error);
      notice?.remove();
      notice = retryNotice(text, () => open(orderProductType));
      document.querySelector('main')?.append(notice);
    },
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

/** Opens the dialog on the home page after a sign-in that was started by a download. */
export function openWantedDownload(): void {
  if (location.pathname !== '/' || local.get(flag) === null) return;
  local.set(flag, null);
  open();
}
