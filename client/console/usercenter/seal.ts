import { PasswordTooLong, sealPassword } from '../../account/form/seal-password.ts';
import { Refused } from '../calls.ts';

/**
 * A password as the calls expect it; in plain text only if the operator allows that.
 * @param field the field it was entered in
 * @throws Refused if it is too long
 */
export async function seal(password: string, field = 'password'): Promise<{ password: string; kid?: string }> {
  const plainAllowed = document.querySelector('[data-console][data-plain-password]') !== null;
  try {
    return await sealPassword(password, plainAllowed);
  } catch (error) {
    if (!(error instanceof PasswordTooLong)) throw error;
    throw new Refused({ code: 'INVALID_FIELDS', msg: error.message, fields: { [field]: error.message } });
  }
}
