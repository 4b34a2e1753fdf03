import { countryCodes } from '../../../client/contract/countries.ts';
import type { Site } from '../../../client/contract/site.ts';
import { CheckField, SelectField, TextField } from '../../../client/ui/Field.tsx';
import { AddressField, CodeField, NewPasswordField } from './AccountFields.tsx';

const names = new Intl.DisplayNames('en', { type: 'region' });
const countries = countryCodes
  .map((code) => ({ value: code, label: names.of(code) ?? code }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'));

/** The fields of both sign-up forms, in the order of their calls. */
export function SignUpFields({ site }: { site: Site }) {
  return (
    <>
      <TextField name="userName" label="User name" autoComplete="nickname" maxLength={64} spellCheck={false} />
      <AddressField site={site} />
      <CodeField site={site} purpose="REGISTER" />
      <NewPasswordField />
      <div className="field-row">
        <TextField name="company" label="Company" autoComplete="organization" optional />
        <SelectField
          name="country"
          label="Country"
          autoComplete="country"
          empty="Choose a country"
          options={countries}
          optional
        />
      </div>
      <CheckField name="contactMe">The operator of this site may contact me about my use case.</CheckField>
      <p className="form-small">
        By signing up you accept the operator’s <a href="/docs/protocol/terms_of_use">terms of use</a> and{' '}
        <a href="/docs/protocol/privacy_policy">privacy policy</a>.
      </p>
    </>
  );
}
