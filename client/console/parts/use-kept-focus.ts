import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Keeps the keyboard where it was: when the control that has the focus goes away with what it did, the part around it
 * takes the focus, so that the next Tab leads to what stands there now.
 * @param part takes the focus by script (`tabIndex={-1}`)
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>): void {
  const last = useRef<Node>(null);

  // Before anybody sees the controls: one may be pressed before effects that come after the paint.
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
    // Nothing else has been chosen since.
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  });
}
