import '../../client/styles/message.css';
import '../../client/styles/fields.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { TextField } from '../../client/ui/Field.tsx';
import { Spinner } from '../../client/ui/Spinner.tsx';
import { AddressField, CodeField, channelOf } from '../parts/forms/AccountFields.tsx';

/** Where single sign-on returns to, and what the visitor sees while the sign-in is completed. */
export default function LoadingPage({ site }: PageProps<'loading'>) {
  const { sentTo } = channelOf(site);
  return (
    <div className="wrap waiting">
      <div role="status">
        <Spinner />
        <h1>Loading</h1>
      </div>
      <p>
        This takes a moment. If nothing happens, start again from <a href="/login">Log in</a>.
      </p>
      {/* Shown if the identity provider's answer is not enough for an account. */}
      <template data-profile="">
        <div className="waiting-form">
          <h1 id="form-title">One more step</h1>
          <p>
            A code sent to {sentTo} finishes the sign-in. If you have an account with that address, it is linked;
            otherwise a new one is created.
          </p>
          <form className="form" method="post" noValidate aria-labelledby="form-title" data-account-form="profile">
            <fieldset className="form-fields">
              <legend className="visually-hidden">One more step</legend>
              <input type="hidden" name="state" />
              <input type="hidden" name="requestId" />
              <AddressField site={site} />
              <CodeField site={site} purpose="SSO_REGISTER_BIND" />
              <TextField name="company" label="Company" autoComplete="organization" maxLength={128} optional />
              <button type="submit" className="button button-primary">
                Finish the sign-in
              </button>
            </fieldset>
          </form>
          <p>
            Not what you wanted? <a href="/login">Log in another way</a>
          </p>
        </div>
      </template>
    </div>
  );
}
