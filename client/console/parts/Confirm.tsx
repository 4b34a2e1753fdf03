import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import { Failed } from './Failed.tsx';

interface ConfirmProps {
  title: string;
  open: boolean;
  /** Words of the button that does it. */
  action: string;
  /** While it is being done: the button takes no second press. */
  busy: boolean;
  /** Why it was not done. */
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, open, action, busy, error, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} open={open} onClose={onClose} asks>
      {children}
      {error && <Failed sentence={error.message} />}
      <div className="console-actions">
        <button
          type="button"
          className="button button-primary"
          aria-disabled={busy}
          onClick={() => busy || onConfirm()}
        >
          {action}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Back
        </button>
      </div>
    </Dialog>
  );
}
