import type { PageProps } from '../../client/contract/pages.ts';
import { TextField } from '../../client/ui/Field.tsx';
import { AddressField, CodeField, NewPasswordField } from '../parts/forms/AccountFields.tsx';
import { FormPage } from '../parts/forms/FormPage.tsx';
import { SidePanel } from '../parts/forms/SidePanel.tsx';

/** A new password, proved by a code. */
export default function ResetPasswordPage({ site }: PageProps<'resetPwd'>) {
  return (
    <FormPage
      site={site}
      title="Reset password"
      lede={
        <>
          Remember it after all? <a href="/login">Log in</a>
        </>
      }
      panel={
        <SidePanel
          title="What a reset changes"
          points={[
            { term: 'Sessions', text: 'Every open session of the account ends, on all devices.' },
            { term: 'Jobs', text: 'Running jobs go on; a job does not use your password.' },
            { term: 'Licences', text: 'Orders and authorization codes stay as they are.' },
            {
              term: 'Privacy',
              text: 'The answer is the same whether the address has an account or not. The message tells you.',
            },
          ]}
        />
      }
    >
      <AddressField site={site} />
      <CodeField site={site} />
      <NewPasswordField label="New password" />
      <TextField
        name="passwordAgain"
        label="New password, again"
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
      />
    </FormPage>
  );
}
