import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the keyboard in place: when the focused control disappears because of its own action, the part around it takes
 * the focus. The next Tab then moves to what is there now.
 * @param part must be focusable by script (`tabIndex={-1}`)
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>): void {
  const last = useRef<Node>(null);

  // Before the controls are visible: one may be pressed before effects that run after the paint.
  useLayoutEffect(() => {
    const { current } = part;
    if (!current) return;
    const remember = ({ target }: FocusEvent) => {
      last.current = target instanceof Node ? target : null;
    };
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget !== null) last.current = null;
    };
    current.addEventListener('focusin', remember);
    current.addEventListener('focusout', forget);
    return () => {
      current.removeEventListener('focusin', remember);
      current.removeEventListener('focusout', forget);
    };
  }, [part]);

  useLayoutEffect(() => {
    if (last.current === null || last.current.isConnected) return;
    last.current = null;
    // Nothing else has taken the focus since.
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  });
}
