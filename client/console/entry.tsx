import { createRoot } from 'react-dom/client';
import { followSignOut } from '../account/drafts.ts';
import { reloadForOtherUser } from '../account/reload-for-other-user.ts';
import { goToLogin } from '../account/return-to.ts';
import { keepTranslated } from '../browser/keep-translated.ts';
import { readToken } from '../stores/user.ts';
import { ConsoleApp } from './ConsoleApp.tsx';

const place = document.querySelector<HTMLElement>('[data-console]');
// Without a session there is nothing to show; after signing in, the user returns here.
if (readToken() === null) goToLogin();
else if (place) {
  keepTranslated();
  followSignOut();
  reloadForOtherUser();
  createRoot(place).render(<ConsoleApp />);
}
