import { sealPassword } from '../../account/form/seal-password.ts';

/** A password as the calls take it; in plain only where the operator allows that. */
export const seal = (password: string) =>
  sealPassword(password, document.querySelector('[data-console][data-plain-password]') !== null);
