import { fetchUser, retryUser } from '../account/query-user.ts';
import { onClick } from '../browser/element.ts';
import { whenIdle } from '../browser/idle.ts';
import { loadPart } from '../browser/load-part.ts';
import { keepLoginSource } from '../stores/login-source.ts';
import { followOtherTabs, readToken, userStore } from '../stores/user.ts';

const html = document.documentElement;

function greet(): void {
  const { uid, username, email } = userStore.get().userInfo;
  html.toggleAttribute('data-user', Boolean(uid && readToken()));
  for (const place of document.querySelectorAll('[data-greeting]')) {
    place.textContent = `Hello, ${username || email || 'User'}`;
  }
}

/** An identity provider sends the visitor back to /loading with its answer in the query. */
function finishSingleSignOn(): void {
  const query = new URLSearchParams(location.search);
  if (location.pathname === '/loading' && query.has('state'))
    loadPart(
      'The sign-in could not be finished.',
      () => import('../account/single-sign-on.ts'),
      (part) => part.finishSingleSignOn(query),
    );
}

/** Log In or the greeting and its menu; a stored session is checked against the server once the browser is idle. */
export function startAccount(): void {
  greet();
  userStore.watch(greet);
  followOtherTabs();
  onClick('[data-login]', () => keepLoginSource('sign_in'));
  onClick('[data-logout]', () => {
    loadPart(
      'Logging out failed.',
      () => import('../account/log-out.ts'),
      ({ logOut }) => logOut(),
    );
  });
  if (readToken()) whenIdle(() => void fetchUser());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) retryUser();
  });
  finishSingleSignOn();
}
