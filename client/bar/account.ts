import { closest } from '../element.ts';
import { whenIdle } from '../idle.ts';
import { report } from '../report.ts';
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

function withAccount(use: (account: typeof import('../account.ts')) => unknown): void {
  import('../account.ts').then(use).catch((error: unknown) => report('The account functions did not load.', error));
}

/** Log In or the greeting and its menu; a stored session is checked against the server once the browser is idle. */
export function startAccount(): void {
  greet();
  userStore.watch(greet);
  followOtherTabs();
  document.addEventListener('click', (event) => {
    if (closest(event, '[data-login]')) keepLoginSource('sign_in');
    if (closest(event, '[data-logout]')) withAccount(({ logout }) => logout());
  });
  if (readToken()) whenIdle(() => withAccount(({ fetchUser }) => fetchUser()));
}
