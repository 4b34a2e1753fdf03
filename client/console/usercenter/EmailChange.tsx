import { useQueryClient } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { sealPassword } from '../../account/form/seal-password.ts';
import { calls } from '../../contract/calls.ts';
import { ask } from '../calls.ts';
import { CodeField } from '../parts/CodeField.tsx';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';

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
export function EmailChange() {
  const queries = useQueryClient();
  return (
    <ConsoleForm
      name="email"
      initial={{ email: '', verifyCode: '', password: '' }}
      submit="Change the address"
      onSend={async ({ email, verifyCode, password }) => {
        await ask(calls.updateUserEmail, { email, verifyCode, ...(await sealPassword(password, false)) });
        await queries.invalidateQueries({ queryKey: [calls.queryLoginUser] });
        return 'The address is changed.';
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
      <FormField name="password" label="Password" type="password" autoComplete="current-password" />
    </ConsoleForm>
  );
}
