import { useQueryClient } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { fetchUser } from '../../account/query-user.ts';
import { calls } from '../../contract/calls.ts';
import type { CurrentUser } from '../../contract/console/account.ts';
import { countryCodes } from '../../contract/countries.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';

const names = new Intl.DisplayNames('en', { type: 'region' });
const countries = countryCodes
  .map((code) => ({ code, name: names.of(code) ?? code }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

function CountryField() {
  const { register } = useFormContext();
  return (
    <div className="field">
      <label htmlFor="country">
        Country<span className="field-optional">optional</span>
      </label>
      <div className="field-select">
        <select id="country" autoComplete="country" {...register('country')}>
          <option value="">Choose a country</option>
          {countries.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="chevron" />
      </div>
    </div>
  );
}

/** What the account says of its owner. */
export function Profile({ user }: { user: CurrentUser }) {
  const queries = useQueryClient();
  return (
    <ConsoleForm
      name="profile"
      initial={{ userName: user.username, company: user.company, country: user.country }}
      submit="Save"
      onSend={async (values) => {
        await ask(calls.updateProfile, values);
        await Promise.all([queries.invalidateQueries({ queryKey: [calls.queryLoginUser] }), fetchUser()]);
        return 'Saved.';
      }}
    >
      <FormField name="userName" label="User name" autoComplete="nickname" maxLength={64} />
      <FormField name="company" label="Company" autoComplete="organization" maxLength={128} optional />
      <CountryField />
    </ConsoleForm>
  );
}
