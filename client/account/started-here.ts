/** Session storage: the `state` of the single sign-on that this tab started. */
export const startedHere = 'sso_state';
