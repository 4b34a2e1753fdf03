import { createRoot } from 'react-dom/client';
import { checkLogin } from '../account/check-login.ts';
import { whileBusy } from '../browser/busy.ts';
import { keepTranslated } from '../browser/keep-translated.ts';
import { DownloadDialog } from './DownloadDialog.tsx';

/** The product type listed when the page names none. */
const usual = 'ENTERPRISE';

function show(orderProductType: string): void {
  if (document.querySelector('[data-download-dialog]')) return;
  const place = document.createElement('div');
  place.dataset.downloadDialog = '';
  document.body.append(place);
  keepTranslated();
  const root = createRoot(place);
  const close = () => {
    root.unmount();
    place.remove();
  };
  root.render(<DownloadDialog orderProductType={orderProductType} onClose={close} />);
}

let checking = false;

/** Opens the download dialog for a signed-in visitor; others sign in first and find it open on the home page. */
export async function openDownload(orderProductType = usual): Promise<void> {
  if (checking) return;
  checking = true;
  const end = whileBusy();
  const open = () => {
    // The cover returns the focus before the dialog remembers where it was.
    end();
    show(orderProductType);
  };
  await checkLogin(open, 'download');
  end();
  checking = false;
}
