import { type ReactElement, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { Download, DownloadProduct, Edition } from '../download.ts';
import { isRecord } from '../json.ts';
import { local } from '../storage.ts';
import '../styles/dialog.css';
import { DownloadChoice } from './DownloadChoice.tsx';
import { DownloadResult } from './DownloadResult.tsx';

export interface DownloadDialogProps {
  /** Text of the button. */
  label: string;
  /** Extra classes of the button. */
  className?: string;
  /** Which packages the server lists. */
  orderProductType?: string;
}

type Step =
  | { name: 'loading' }
  | { name: 'choice'; products: DownloadProduct[]; busy: boolean; error?: string }
  | { name: 'result'; download: Download }
  | { name: 'failed' };

/** Calls and account functions belong to a browser; the server renders the button alone. */
const downloads = () => import('../download.ts');

/** A button and the dialog it opens for signed-in visitors; others sign in first and come back to it. */
export default function DownloadDialog({
  label,
  className = '',
  orderProductType = 'ENTERPRISE',
}: DownloadDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const [step, setStep] = useState<Step>({ name: 'loading' });

  const load = useCallback(() => {
    setStep({ name: 'loading' });
    downloads()
      .then(({ listProducts }) => listProducts(orderProductType))
      .then(
        (products) => setStep({ name: 'choice', products, busy: false }),
        () => setStep({ name: 'failed' }),
      );
  }, [orderProductType]);

  const open = useCallback(async () => {
    const show = () => {
      if (!dialog.current?.open) dialog.current?.showModal();
      load();
    };
    try {
      const { beforeDownload } = await downloads();
      await beforeDownload(show);
    } catch {
      dialog.current?.showModal();
      setStep({ name: 'failed' });
    }
  }, [load]);

  useEffect(() => {
    if (local.get('openDownloadModal') === null) return;
    local.set('openDownloadModal', null);
    void open();
  }, [open]);

  async function choose(productType: string, edition: Edition) {
    if (step.name !== 'choice') return;
    setStep({ name: 'choice', products: step.products, busy: true });
    try {
      const { requestDownload } = await downloads();
      setStep({ name: 'result', download: await requestDownload(productType, edition) });
    } catch {
      const error = 'The download address could not be fetched. Try again in a moment.';
      setStep({ name: 'choice', products: step.products, busy: false, error });
    }
  }

  return (
    <>
      <button type="button" className={`button ${className}`.trim()} onClick={() => void open()}>
        {label}
      </button>
      <dialog className="dialog" ref={dialog} aria-labelledby={title} closedby="any">
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
    </>
  );
}

/** The dialog for the props in the page. */
export function render(props: unknown): ReactElement {
  if (!isRecord(props) || typeof props.label !== 'string')
    throw new TypeError('The download dialog was given no label.');
  const { label, className, orderProductType } = props;
  return (
    <DownloadDialog
      label={label}
      {...(typeof className === 'string' && { className })}
      {...(typeof orderProductType === 'string' && { orderProductType })}
    />
  );
}
