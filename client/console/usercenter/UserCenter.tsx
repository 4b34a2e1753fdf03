import { lazy } from 'react';
import { useSearchParams } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { CurrentUser } from '../../contract/console/account.ts';
import { useCall } from '../calls.ts';
import { LazyPart } from '../parts/LazyPart.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Tabs } from '../parts/Tabs.tsx';
import { ChangePassword } from './ChangePassword.tsx';
import { EmailChange } from './EmailChange.tsx';
import { Profile } from './Profile.tsx';
import { Providers } from './Providers.tsx';

// Their table is the heaviest part of the page.
const Identities = lazy(() => import('./Identities.tsx'));
const Sessions = lazy(() => import('./Sessions.tsx'));

/** For accounts that a provider signs in: the forms ask for a password that they do not have. */
function NoPassword() {
  return (
    <>
      If you have no password yet, set one with <a href="/resetPwd">a code</a>.
    </>
  );
}

/** The account's profile, address, password and sessions; the selected tab is in the address. */
export default function UserCenter() {
  const user = useCall<CurrentUser>(calls.queryLoginUser);
  const [query, setQuery] = useSearchParams();
  return (
    <Loaded query={user} lines={8}>
      {(account) => {
        const tabs = [
          { id: 'profile', label: 'Profile', content: <Profile user={account} /> },
          {
            id: 'email',
            label: 'E-mail address',
            content: (
              <>
                <p className="console-lede">
                  {account.email ? `The address is ${account.email}.` : 'There is no address yet.'} A code is sent to
                  the new address, and every other session ends. <NoPassword />
                </p>
                <EmailChange />
              </>
            ),
          },
          {
            id: 'password',
            label: 'Password',
            content: (
              <>
                <p className="console-lede">
                  Changing the password ends every other session. <NoPassword />
                </p>
                <ChangePassword />
              </>
            ),
          },
          {
            id: 'providers',
            label: 'Single sign-on',
            content: (
              <>
                <p className="console-lede">A connected provider signs you in without a password.</p>
                <LazyPart lines={3}>
                  <Identities />
                </LazyPart>
                <Providers />
              </>
            ),
          },
          {
            id: 'sessions',
            label: 'Sessions',
            content: (
              <>
                <p className="console-lede">Browsers in which this account is signed in.</p>
                <LazyPart lines={3}>
                  <Sessions />
                </LazyPart>
              </>
            ),
          },
        ];
        return (
          <Tabs
            label="User center"
            tabs={tabs}
            selected={query.get('tab')}
            onSelect={(tab) => setQuery({ tab }, { replace: true })}
          />
        );
      }}
    </Loaded>
  );
}
