import { calls } from '../../contract/calls.ts';
import type { CurrentUser } from '../../contract/console/account.ts';
import { useCall } from '../calls.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { Section } from '../parts/Section.tsx';
import { ChangePassword } from './ChangePassword.tsx';
import { EmailChange } from './EmailChange.tsx';
import { Profile } from './Profile.tsx';
import { Sessions } from './Sessions.tsx';

/** Profile, address, password and sessions of the account. */
export default function UserCenter() {
  const user = useCall<CurrentUser>(calls.queryLoginUser);
  return (
    <Loaded query={user} lines={8}>
      {(account) => (
        <>
          <Section title="Profile">
            <Profile user={account} />
          </Section>
          <Section
            title="E-mail address"
            lede={
              account.email
                ? `Now ${account.email}. A code goes to the new address.`
                : 'None yet. A code goes to the new address.'
            }
          >
            <EmailChange />
          </Section>
          <Section title="Password" lede="Every other session ends.">
            <ChangePassword />
          </Section>
          <Section title="Sessions" lede="Browsers in which this account is signed in.">
            <Sessions />
          </Section>
        </>
      )}
    </Loaded>
  );
}
