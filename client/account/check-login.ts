import { CallError } from '../call.ts';
import { keepLoginSource, type LoginSource } from '../stores/login-source.ts';
import { queryUser } from './query-user.ts';

/**
 * Runs `then` for a signed-in visitor; others are sent to /login, and `source` decides where they land afterwards.
 * After any other failure nothing happens: the visitor can try again.
 */
export async function checkLogin(then: () => void, source?: LoginSource): Promise<void> {
  try {
    await queryUser();
  } catch (error) {
    if (!(error instanceof CallError && error.endsSession)) return;
    if (source) keepLoginSource(source);
    location.assign('/login');
    return;
  }
  then();
}
