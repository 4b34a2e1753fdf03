import { hashTarget } from '../navigation/scroll.ts';

/** Opens the tabs and folded blocks around the address's target, and scrolls to it; a visible target stays in place. */
export function revealTarget(): void {
  const target = hashTarget(location.hash);
  if (!target || target.checkVisibility()) return;
  for (let around: HTMLElement | null = target; around; around = around.parentElement) {
    if (around instanceof HTMLDetailsElement) around.open = true;
    if (around.role === 'tabpanel') document.getElementById(around.getAttribute('aria-labelledby') ?? '')?.click();
  }
  target.scrollIntoView();
}
