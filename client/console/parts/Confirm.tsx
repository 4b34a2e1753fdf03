import type { ReactNode } from 'react';
import { Dialog } from './Dialog.tsx';
import { Failed } from './Failed.tsx';

interface ConfirmProps {
  title: string;
  open: boolean;
  /** Label of the button that confirms. */
  action: string;
  /** Whether the action is running: the button ignores a second press. */
  busy: boolean;
  /** Why the action failed. */
  error: Error | null;
  onConfirm: () => void;
  onClose: () => void;
  /** What will happen. */
  children: ReactNode;
}

/** Asks before an action that cannot be undone. */
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
