import { session } from '../browser/storage.ts';

const name = 'return_to';
/** Only the console's own addresses: never another page or site. */
const own = /^\/console(?:\/[\w/-]*)?(?:\?[^#\\]*)?$/;

/** The visitor returns to this page after the next sign-in. */
export function keepReturnTo(): void {
  session.set(name, location.pathname + location.search);
}

/** Goes to the sign-in, and back. */
export function goToLogin(): void {
  keepReturnTo();
  location.replace('/login');
}

/** Where the visitor wanted to go before the sign-in; read once. */
export function takeReturnTo(): string | undefined {
  const path = session.get(name);
  session.set(name, null);
  return path !== null && own.test(path) ? path : undefined;
}
