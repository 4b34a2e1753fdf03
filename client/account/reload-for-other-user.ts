import { userStore } from '../stores/user.ts';

/**
 * Loads the page again once another tab has signed in a different user: it still shows the previous user's data, and
 * its buttons would act for the new one.
 */
export function reloadForOtherUser(): void {
  let { uid } = userStore.get().userInfo;
  userStore.watch(() => {
    const { uid: current } = userStore.get().userInfo;
    // No uid means that nobody is known to be signed in: the next call shows whether the session is over.
    if (current === undefined) return;
    if (uid !== undefined && current !== uid) location.reload();
    uid = current;
  });
}
