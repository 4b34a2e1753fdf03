import { element } from '../browser/element.ts';
import { report } from '../browser/report.ts';
import { session } from '../browser/storage.ts';
import { call } from '../call.ts';
import { calls } from '../contract/calls.ts';
import { startedHere } from '../stores/login-source.ts';
import { finishLogin } from './finish-login.ts';
import { keptProfile, neededProfile } from './needed-profile.ts';
import { askForProfile } from './profile-form.ts';

function explain(sentence: string): void {
  document
    .querySelector('.waiting')
    ?.replaceChildren(
      element(
        'div',
        { role: 'alert' },
        element('h1', {}, 'You are not signed in'),
        element('p', {}, sentence, ' ', element('a', { href: '/login' }, 'Log in'), '.'),
      ),
    );
}

function answerIn(query: URLSearchParams): object {
  const name = query.has('accessToken') ? 'accessToken' : 'code';
  // The provider's own address, if it sends one: the server compares it.
  const iss = query.get('iss');
  return { state: query.get('state'), [name]: query.get(name) ?? '', ...(iss !== null && { iss }) };
}

/** Finishes a single sign-on with the identity provider's answer in the address of /loading. */
export async function finishSingleSignOn(query: URLSearchParams): Promise<void> {
  const state = query.get('state') ?? '';
  const kept = keptProfile(state);
  if (kept) return askForProfile(kept);
  if (state !== session.get(startedHere)) return explain('This sign-in was not started in this tab.');
  session.set(startedHere, null);
  if (query.has('error')) return explain('The identity provider refused the sign-in.');
  try {
    const answer = await call(calls.auth, answerIn(query));
    if (answer.success) return await finishLogin(answer.data);
    if (answer.code === 'PROFILE_NEEDED') return askForProfile(neededProfile(state, answer.data));
    report('The single sign-on could not be finished.', new Error(answer.code));
    explain(answer.msg);
  } catch (error) {
    report('The single sign-on could not be finished.', error);
    explain('The server did not accept the sign-in, or could not be reached.');
  }
}
