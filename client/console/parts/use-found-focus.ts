import { type RefObject, useEffect } from 'react';

/**
 * Finds the keyboard again: when what has the focus goes away, be it in a dialog, and nothing else takes the focus, the
 * page does, so that the next Tab does not begin at the top of the document.
 * @param page takes the focus by script (`tabIndex={-1}`)
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
      // A dialog that closes gives the focus back in the next frame, where that can be.
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
