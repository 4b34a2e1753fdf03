import type { PageProps } from '../../client/contract/pages.ts';
import { FormPage } from '../parts/forms/FormPage.tsx';
import { SidePanel } from '../parts/forms/SidePanel.tsx';
import { SignUpFields } from '../parts/forms/SignUpFields.tsx';

/** Sign up for a console account. */
export default function RegisterPage({ site, panel }: PageProps<'register'>) {
  return (
    <FormPage
      site={site}
      form="register"
      submit="Sign up"
      title="Sign up"
      lede={
        <>
          Have an account? <a href="/login">Log in</a>
        </>
      }
      panel={<SidePanel text={panel} />}
    >
      <SignUpFields site={site} />
    </FormPage>
  );
}
