import type { ReactNode } from 'react';

interface BusyButtonProps {
  /** Whether it takes no press now: what it started is under way, or something has to come before. */
  busy: boolean;
  className?: string;
  onPress: () => void;
  children: ReactNode;
}

/** A button that starts something once at a time, and keeps the focus meanwhile: one that is disabled would lose it. */
export function BusyButton({ busy, className = 'button', onPress, children }: BusyButtonProps) {
  return (
    <button type="button" className={className} aria-disabled={busy} onClick={() => busy || onPress()}>
      {children}
    </button>
  );
}
