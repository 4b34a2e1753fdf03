import { sealPassword } from '../../account/form/seal-password.ts';

/** A password as the calls expect it; in plain text only if the operator allows that. */
export const seal = (password: string) =>
  sealPassword(password, document.querySelector('[data-console][data-plain-password]') !== null);
