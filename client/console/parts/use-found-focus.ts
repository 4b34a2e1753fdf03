import { type RefObject, useEffect } from 'react';

/**
 * Recovers lost focus: when the focused element disappears, even in a dialog, and nothing else takes the focus, the
 * page does. The next Tab then does not start at the top of the document.
 * @param page must be focusable by script (`tabIndex={-1}`)
 */
export function useFoundFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last: Element | null = null;
    let frame = 0;
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : null;
    };
    const isLost = () => last !== null && !last.isConnected && document.activeElement === document.body;
    const find = () => {
      if (isLost()) page.current?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (!isLost()) return;
      cancelAnimationFrame(frame);
      // A closing dialog returns the focus in the next frame, if it can.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(find);
      });
    });
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, [page]);
}
