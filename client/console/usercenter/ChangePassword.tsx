import { useQueryClient } from '@tanstack/react-query';
import { calls } from '../../contract/calls.ts';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { NewPasswordField, PasswordField } from '../parts/PasswordField.tsx';
import { seal } from './seal.ts';

/** Sets a new password, given the old one. */
export default function ChangePassword() {
  const queries = useQueryClient();
  return (
    <ConsoleForm
      name="password"
      initial={{ oldPassword: '', password: '' }}
      submit="Change the password"
      clears
      onSend={async ({ oldPassword, password }) => {
        const old = await seal(oldPassword, 'oldPassword');
        await ask(calls.changePassword, { oldPassword: old.password, ...(await seal(password)) });
        await queries.invalidateQueries({ queryKey: [calls.listSessions] });
        return 'The password has been changed, and every other session has ended.';
      }}
    >
      <PasswordField name="oldPassword" label="Current password" />
      <NewPasswordField name="password" />
    </ConsoleForm>
  );
}
