import { useQueryClient } from '@tanstack/react-query';
import { sealPassword } from '../../account/form/seal-password.ts';
import { calls } from '../../contract/calls.ts';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';

/** Sets a new password after the old one. */
export function ChangePassword() {
  const queries = useQueryClient();
  return (
    <ConsoleForm
      name="password"
      initial={{ oldPassword: '', password: '' }}
      submit="Change the password"
      onSend={async ({ oldPassword, password }) => {
        const old = await sealPassword(oldPassword, false);
        await ask(calls.changePassword, { oldPassword: old.password, ...(await sealPassword(password, false)) });
        await queries.invalidateQueries({ queryKey: [calls.listSessions] });
        return 'The password is changed, and every other session has ended.';
      }}
    >
      <FormField name="oldPassword" label="Password" type="password" autoComplete="current-password" />
      <FormField
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="8 to 128 characters. The 10,000 most common passwords are refused."
        rules={{ minLength: { value: 8, message: 'New password must be at least 8 characters' } }}
        maxLength={128}
      />
    </ConsoleForm>
  );
}
