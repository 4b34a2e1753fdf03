import type { PageProps } from '../../client/contract/pages.ts';
import { TextField } from '../../client/ui/Field.tsx';
import { AddressField, CodeField, channelOf } from '../parts/forms/AccountFields.tsx';
import { FormPage } from '../parts/forms/FormPage.tsx';
import { SidePanel } from '../parts/forms/SidePanel.tsx';

/** Log in with a password or a code; a style rule shows the field for the chosen method. */
export default function LoginPage({ site, panel }: PageProps<'login'>) {
  return (
    <FormPage
      site={site}
      form="login"
      submit="Log in"
      title="Log in"
      lede={
        <>
          No account yet? <a href="/register">Sign up</a>
        </>
      }
      panel={<SidePanel text={panel} />}
      after={
        <>
          Forgot your password? <a href="/resetPwd">Reset it</a>
        </>
      }
    >
      <fieldset className="choice">
        <legend>Log in with</legend>
        <label>
          <input type="radio" name="loginType" value="PASSWORD" defaultChecked />
          Password
        </label>
        <label>
          <input type="radio" name="loginType" value="VERIFY" />
          {channelOf(site).code}
        </label>
      </fieldset>
      <AddressField site={site} name="account" />
      <div className="by-password">
        <TextField name="password" label="Password" type="password" autoComplete="current-password" maxLength={128} />
      </div>
      <div className="by-code">
        <CodeField site={site} purpose="LOGIN" />
      </div>
    </FormPage>
  );
}
