import '../client/entry.ts';

// In development, the open page shows saved files at once; a build leaves this out.
if (import.meta.hot) {
  import.meta.hot.on('millrace:refresh', async () => {
    const { refresh } = await import('../client/navigation/navigate.ts');
    await refresh();
    for (const fade of document.querySelector('main')?.getAnimations() ?? []) fade.finish();
  });
  // Ask for what was saved while this page was loading.
  import.meta.hot.send('millrace:opened', { at: performance.timeOrigin });
}
