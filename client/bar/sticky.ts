const threshold = 10;

/** Marks <html> while the page is scrolled by more than 10 px. */
export function startSticky(): void {
  const mark = () => document.documentElement.toggleAttribute('data-stuck', scrollY > threshold);
  addEventListener('scroll', mark, { passive: true });
  mark();
}
