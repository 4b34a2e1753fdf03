import { calls } from '../../contract/calls.ts';
import type { CurrentUser } from '../../contract/console/account.ts';
import { useCall } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { Loaded } from '../parts/Loaded.tsx';

/** Who is signed in, and the credits of the account. */
export function AccountSummary() {
  const user = useCall<CurrentUser>(calls.queryLoginUser);
  return (
    <Loaded query={user}>
      {({ username, credits }) => (
        <dl className="console-facts">
          <dt>Signed in as</dt>
          <dd>{username}</dd>
          <dt>Credits</dt>
          <dd>
            <Amount of={credits} />
          </dd>
        </dl>
      )}
    </Loaded>
  );
}
