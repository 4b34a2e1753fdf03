import { useQueryClient } from '@tanstack/react-query';
import { calls } from '../../contract/calls.ts';
import type { SessionInfo } from '../../contract/console/account.ts';
import { useCall, useChange } from '../calls.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Problem } from '../parts/Problem.tsx';
import { State } from '../parts/State.tsx';
import { Table } from '../parts/Table.tsx';
import { browserName } from './browser-name.ts';

const columns = [{ name: 'Browser' }, { name: 'Since' }, { name: 'Last used' }, { name: 'Action', hidden: true }];

/** Where the account is signed in; each can be ended, and all others at once. */
export function Sessions() {
  const queries = useQueryClient();
  const sessions = useCall<SessionInfo[]>(calls.listSessions);
  const end = useChange<null, { id?: string }>(calls.endSessions, {
    onSuccess: () => queries.invalidateQueries({ queryKey: [calls.listSessions] }),
  });
  return (
    <Loaded query={sessions}>
      {(list) => (
        <>
          <Table columns={columns}>
            <tbody>
              {list.map(({ id, browser, createdAt, lastSeenAt, current }) => (
                <tr key={id}>
                  <td>{browserName(browser)}</td>
                  <td>
                    <Moment at={createdAt} />
                  </td>
                  <td>
                    <Moment at={lastSeenAt} />
                  </td>
                  <td>
                    {current ? (
                      <State tone="good">This one</State>
                    ) : (
                      <button
                        type="button"
                        className="button"
                        disabled={end.isPending}
                        onClick={() => end.mutate({ id })}
                      >
                        Sign out
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
          {end.error && <Problem sentence={end.error.message} />}
          {list.length > 1 && (
            <button type="button" className="button" disabled={end.isPending} onClick={() => end.mutate({})}>
              Sign out everywhere else
            </button>
          )}
        </>
      )}
    </Loaded>
  );
}
