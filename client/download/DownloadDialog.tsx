import { useCallback, useEffect, useId, useRef, useState } from 'react';
import '../styles/dialog.css';
import { DownloadChoice } from './DownloadChoice.tsx';
import { type DownloadProduct, listProducts } from './products.ts';

/** The dialog around the download choice; open as long as it is mounted. */
export function DownloadDialog({ orderProductType, onClose }: { orderProductType: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [products, setProducts] = useState<DownloadProduct[] | 'loading' | 'failed'>('loading');

  const load = useCallback(() => {
    setProducts('loading');
    listProducts(orderProductType).then(setProducts, () => setProducts('failed'));
  }, [orderProductType]);

  useEffect(() => {
    dialog.current?.showModal();
    load();
  }, [load]);

  useEffect(() => {
    const { current } = dialog;
    // The previously focused element may have been removed with the previous step.
    if (!current || current.contains(document.activeElement)) return;
    const next = current.querySelector<HTMLElement>('[aria-selected=true], .retry button') ?? current;
    next.focus();
  });

  return (
    <dialog
      className="dialog download-dialog"
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={title}
      closedby="any"
      onClose={onClose}
    >
      <form method="dialog" className="dialog-head">
        <h2 id={title}>Download</h2>
        <button type="submit" className="button">
          Close
        </button>
      </form>
      {products === 'loading' && (
        <p role="status" className="dialog-wait">
          <span className="wheel" /> Loading the packages
        </p>
      )}
      {products === 'failed' && (
        <div className="retry" role="alert">
          <p>The list of packages did not load.</p>
          <button type="button" className="button" onClick={load}>
            Retry
          </button>
        </div>
      )}
      {typeof products === 'object' && <DownloadChoice products={products} />}
    </dialog>
  );
}
