import { onClick } from '../browser/element.ts';
import { keepLoginSource } from '../stores/login-source.ts';
import { readToken } from '../stores/user.ts';

declare global {
  interface Window {
    /** The queue of a tag that an operator configured. */
    dataLayer?: object[];
  }
}

/** Sends an event when 'Try Cloud Free' is clicked; the link itself works without it. */
export function startTryCloud(): void {
  onClick('[data-try-cloud]', (link) => {
    link.dispatchEvent(new CustomEvent('try_cloud_free', { bubbles: true }));
    if (document.querySelector('meta[name=data-layer]')) {
      window.dataLayer ??= [];
      window.dataLayer.push({ event: 'try_cloud_free' });
    }
    if (!readToken()) keepLoginSource('try_cloud_free');
  });
}
