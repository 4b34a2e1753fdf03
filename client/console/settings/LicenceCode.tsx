import { useQueryClient } from '@tanstack/react-query';
import { calls } from '../../contract/calls.ts';
import type { Installation } from '../../contract/console/installation.ts';
import { counted } from '../../contract/counted.ts';
import { date } from '../../contract/dates.ts';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormText } from '../parts/FormText.tsx';

/** Accepts an authorization code and says what it allows. */
export function LicenceCode() {
  const queries = useQueryClient();
  return (
    <ConsoleForm
      name="licence-code"
      initial={{ authCode: '' }}
      submit="Enter the code"
      clears
      onSend={async (values) => {
        const installation = await ask<Installation>(calls.install, values);
        // The cache key of a call without a body.
        queries.setQueryData([calls.installation, null], installation);
        const { links, to } = installation;
        if (to === null || links === null) return 'The code has been entered.';
        return `Valid: ${counted(links, 'link')} until ${date(new Date(to))}.`;
      }}
    >
      <FormText name="authCode" label="Authorization code" hint="Line breaks added by a mail program do no harm." />
    </ConsoleForm>
  );
}
