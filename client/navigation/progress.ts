let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the progress bar if the page has not arrived within 200 ms; the bar itself is CSS on <html>. */
export function startProgress(): void {
  timer ??= setTimeout(() => {
    document.documentElement.dataset.loading = '';
  }, 200);
}

/** Removes the progress bar. */
export function stopProgress(): void {
  clearTimeout(timer);
  timer = undefined;
  delete document.documentElement.dataset.loading;
}
