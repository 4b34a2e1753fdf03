import { type ReactNode, useState } from 'react';
import { Dialog } from './Dialog.tsx';
import { Failed } from './Failed.tsx';

interface ConfirmProps {
  title: string;
  open: boolean;
  /** Label of the button that confirms. */
  action: string;
  /** Whether the action is running: the question stays until it is answered, and a second press is ignored. */
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
  const [wasOpen, setWasOpen] = useState(open);
  const [earlier, setEarlier] = useState(error);
  if (open !== wasOpen) {
    setWasOpen(open);
    setEarlier(error);
  }
  const close = () => busy || onClose();
  return (
    <Dialog title={title} open={open} onClose={close} asks>
      {children}
      {/* The failure of an earlier question may be about something else. */}
      {error && error !== earlier && <Failed sentence={error.message} />}
      <div className="console-actions">
        <button
          type="button"
          className="button button-primary"
          aria-disabled={busy}
          onClick={() => busy || onConfirm()}
        >
          {action}
        </button>
        <button type="button" className="button" aria-disabled={busy} onClick={close}>
          Back
        </button>
      </div>
    </Dialog>
  );
}
