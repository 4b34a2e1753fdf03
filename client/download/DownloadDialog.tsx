import { useCallback, useEffect, useId, useRef, useState } from 'react';
import '../styles/dialog.css';
import { DownloadChoice } from './DownloadChoice.tsx';
import { DownloadResult } from './DownloadResult.tsx';
import { type Download, type DownloadProduct, type Edition, listProducts, requestDownload } from './products.ts';

type Step =
  | { name: 'loading' }
  | { name: 'choice'; products: DownloadProduct[]; busy: boolean; error?: string }
  | { name: 'result'; download: Download }
  | { name: 'failed' };

const fetchFailed = 'The download address could not be fetched. Try again in a moment.';

/** Package, edition and then the addresses of a download; open while it is mounted. */
export function DownloadDialog({ orderProductType, onClose }: { orderProductType: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [step, setStep] = useState<Step>({ name: 'loading' });

  const load = useCallback(() => {
    setStep({ name: 'loading' });
    listProducts(orderProductType).then(
      (products) => setStep({ name: 'choice', products, busy: false }),
      () => setStep({ name: 'failed' }),
    );
  }, [orderProductType]);

  useEffect(() => {
    dialog.current?.showModal();
    load();
  }, [load]);

  useEffect(() => {
    const { current } = dialog;
    // The element that had the focus may have been removed with the previous step.
    if (!current || current.contains(document.activeElement)) return;
    const next = current.querySelector<HTMLElement>('a, select, .retry button') ?? current;
    next.focus();
  });

  async function choose(productType: string, edition: Edition) {
    if (step.name !== 'choice' || step.busy) return;
    const { products } = step;
    setStep({ name: 'choice', products, busy: true });
    try {
      setStep({ name: 'result', download: await requestDownload(productType, edition) });
    } catch {
      setStep({ name: 'choice', products, busy: false, error: fetchFailed });
    }
  }

  return (
    <dialog className="dialog" ref={dialog} tabIndex={-1} aria-labelledby={title} closedby="any" onClose={onClose}>
      <form method="dialog" className="dialog-head">
        <h2 id={title}>Download</h2>
        <button type="submit" className="button">
          Close
        </button>
      </form>
      {step.name === 'loading' && (
        <p role="status" className="dialog-wait">
          <span className="wheel" /> Loading the packages
        </p>
      )}
      {step.name === 'failed' && (
        <div className="retry" role="alert">
          <p>The list of packages did not load.</p>
          <button type="button" className="button" onClick={load}>
            Retry
          </button>
        </div>
      )}
      {step.name === 'choice' && <DownloadChoice {...step} onChoose={choose} />}
      {step.name === 'result' && <DownloadResult download={step.download} />}
    </dialog>
  );
}
