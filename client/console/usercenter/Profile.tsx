import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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
  // The values the form started with: what another tab changes meanwhile is not reverted.
  const [initial, begin] = useState<Record<string, string>>({
    userName: user.username,
    company: user.company,
    country: user.country,
  });
  return (
    <ConsoleForm
      name="profile"
      initial={initial}
      submit="Save"
      onSend={async (values) => {
        const changed = Object.entries(values).filter(([name, value]) => value !== initial[name]);
        await ask(calls.updateProfile, Object.fromEntries(changed));
        begin(values);
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
