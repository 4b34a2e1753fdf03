/** Milliseconds that the mouse rests on a drop-down before it opens, and is away before it closes. */
const showAfter = 150;
const hideAfter = 100;

/** Opens a drop-down when the mouse rests on it, and closes it when the mouse leaves. */
export function openOnHover(menu: HTMLDetailsElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The pointer that was pressed last: Safari before 18.2 does not say which one clicked. */
  let pressed = '';
  const later = (open: boolean, delay: number) => (event: PointerEvent) => {
    if (event.pointerType !== 'mouse') return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Keyboard focus is inside it.
      if (open || !menu.querySelector('.drop-down')?.contains(document.activeElement)) menu.open = open;
    }, delay);
  };
  menu.addEventListener('pointerenter', later(true, showAfter));
  menu.addEventListener('pointerleave', later(false, hideAfter));
  const summary = menu.querySelector('summary');
  summary?.addEventListener('pointerdown', ({ pointerType }) => {
    pressed = pointerType;
  });
  summary?.addEventListener('click', (event) => {
    // Resting the mouse has opened it; its click must not close it again. A click without `detail` is the keyboard's.
    if (pressed !== 'mouse' || !event.detail) return;
    event.preventDefault();
    clearTimeout(timer);
    menu.open = true;
  });
}
