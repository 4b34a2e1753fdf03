import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';

interface DialogProps {
  title: string;
  open: boolean;
  /** Called for Close, Escape and a click outside. */
  onClose: () => void;
  /** Its content is shown only once: a click outside does not close it. */
  keeps?: boolean;
  /** It is a question: the way back is beside the answer instead of at the top. */
  asks?: boolean;
  children: ReactNode;
}

/** A window over the page that keeps the focus inside and returns it on closing. */
export function Dialog({ title, open, onClose, keeps = false, asks = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className="console-overlay"
      isDismissable={!keeps}
      isOpen={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Modal className="dialog">
        <AriaDialog>
          <div className="dialog-head">
            <Heading slot="title">{title}</Heading>
            {!asks && (
              <button type="button" className="button" onClick={onClose}>
                Close
              </button>
            )}
          </div>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
