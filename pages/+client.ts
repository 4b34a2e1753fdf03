import '../client/entry.ts';
import { refresh } from '../client/navigation/navigate.ts';

// In development, what an author or a developer saves comes into the open page at once; a build leaves this out.
if (import.meta.hot) {
  import.meta.hot.on('millrace:refresh', async () => {
    await refresh();
    for (const fade of document.querySelector('main')?.getAnimations() ?? []) fade.finish();
  });
  // What was saved while this page was on its way is told now.
  import.meta.hot.send('millrace:opened', { at: performance.timeOrigin });
}
