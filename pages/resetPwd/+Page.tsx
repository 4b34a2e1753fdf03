import type { PageProps } from '../../client/contract/pages.ts';
import { TextField } from '../../client/ui/Field.tsx';
import { AddressField, CodeField, NewPasswordField } from '../parts/forms/AccountFields.tsx';
import { FormPage } from '../parts/forms/FormPage.tsx';
import { SidePanel } from '../parts/forms/SidePanel.tsx';

/** Sets a new password, verified by a code. */
export default function ResetPasswordPage({ site, panel }: PageProps<'resetPwd'>) {
  return (
    <FormPage
      site={site}
      form="resetPwd"
      submit="Set the new password"
      title="Reset password"
      lede={
        <>
          Remembered it after all? <a href="/login">Log in</a>
        </>
      }
      panel={<SidePanel text={panel} />}
    >
      <AddressField site={site} />
      <CodeField site={site} purpose="RESET_PASSWORD" />
      <NewPasswordField label="New password" />
      <TextField
        name="passwordAgain"
        label="New password, again"
        type="password"
        autoComplete="new-password"
        data-same="password"
        minLength={8}
        maxLength={128}
      />
    </FormPage>
  );
}
