/** Runs a task when the browser is idle. */
export function whenIdle(task: () => void): void {
  // Safari has no requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: 2000 });
  else setTimeout(task, 200);
}

const signs = ['pointermove', 'pointerdown', 'keydown', 'focusin', 'scroll'];

/** Runs a task at the visitor's first interaction: pointer, key, focus or scroll. */
export function atFirstSign(task: () => void): void {
  const once = (event: Event) => {
    // Chromium reports a pointer that was already there when a page appears.
    if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY) return;
    for (const sign of signs) removeEventListener(sign, once);
    task();
  };
  for (const sign of signs) addEventListener(sign, once, { passive: true });
}
