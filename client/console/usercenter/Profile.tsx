import { useQueryClient } from '@tanstack/react-query';
import { fetchUser } from '../../account/query-user.ts';
import { calls } from '../../contract/calls.ts';
import type { CurrentUser } from '../../contract/console/account.ts';
import { countryCodes } from '../../contract/countries.ts';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';
import { FormSelect } from '../parts/FormSelect.tsx';

const names = new Intl.DisplayNames('en', { type: 'region' });
const countries = countryCodes
  .map((code) => ({ value: code, label: names.of(code) ?? code }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'));
const options = [{ value: '', label: 'Choose a country' }, ...countries];

/** The account's details about its owner. */
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
      <FormSelect name="country" label="Country" autoComplete="country" options={options} optional />
    </ConsoleForm>
  );
}
