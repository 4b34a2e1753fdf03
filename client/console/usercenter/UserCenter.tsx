import { lazy } from 'react';
import { useSearchParams } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { CurrentUser } from '../../contract/console/account.ts';
import { useCall } from '../calls.ts';
import { LazyPart } from '../parts/LazyPart.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Tabs } from '../parts/Tabs.tsx';
import { Profile } from './Profile.tsx';

// Only the first tab is needed at once.
const ChangePassword = lazy(() => import('./ChangePassword.tsx'));
const EmailChange = lazy(() => import('./EmailChange.tsx'));
const Identities = lazy(() => import('./Identities.tsx'));
const Providers = lazy(() => import('./Providers.tsx'));
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
                <LazyPart lines={6}>
                  <EmailChange />
                </LazyPart>
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
                <LazyPart lines={6}>
                  <ChangePassword />
                </LazyPart>
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
                  <Providers />
                </LazyPart>
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
