import { useQueryClient } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { calls } from '../../contract/calls.ts';
import { ask } from '../calls.ts';
import { CodeField } from '../parts/CodeField.tsx';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';
import { PasswordField } from '../parts/PasswordField.tsx';
import { seal } from './seal.ts';

function NewAddressCode() {
  const { getValues } = useFormContext();
  return (
    <CodeField
      path={calls.sendCode}
      body={() => {
        const email = String(getValues('email') ?? '');
        if (!email.includes('@')) return 'Please enter the new address first.';
        return { email, verifyType: 'EMAIL_VERIFY_CODE', verifyCodeType: 'UPDATE_EMAIL' };
      }}
    />
  );
}

/** Moves the account to a new e-mail address. */
export default function EmailChange() {
  const queries = useQueryClient();
  return (
    <ConsoleForm
      name="email"
      initial={{ email: '', verifyCode: '', password: '' }}
      submit="Change the address"
      clears
      onSend={async ({ email, verifyCode, password }) => {
        await ask(calls.updateUserEmail, { email, verifyCode, ...(await seal(password)) });
        await queries.invalidateQueries({ queryKey: [calls.queryLoginUser] });
        await queries.invalidateQueries({ queryKey: [calls.listSessions] });
        return 'The address has been changed.';
      }}
    >
      <FormField
        name="email"
        label="New e-mail address"
        type="email"
        autoComplete="email"
        rules={{ pattern: { value: /^[^\s@]+@[^\s@]+$/, message: 'New e-mail address is not a valid e-mail address' } }}
      />
      <NewAddressCode />
      <PasswordField name="password" label="Current password" />
    </ConsoleForm>
  );
}
