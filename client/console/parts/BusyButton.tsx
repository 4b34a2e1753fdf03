import type { ReactNode } from 'react';

interface BusyButtonProps {
  /** Whether it ignores presses now: its action is running, or something else must come first. */
  busy: boolean;
  className?: string;
  onPress: () => void;
  children: ReactNode;
}

/** A button that runs one action at a time and keeps the focus meanwhile: a disabled one would lose it. */
export function BusyButton({ busy, className = 'button', onPress, children }: BusyButtonProps) {
  return (
    <button type="button" className={className} aria-disabled={busy} onClick={() => busy || onPress()}>
      {children}
    </button>
  );
}
