import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { SessionInfo } from '../../contract/console/account.ts';
import { useCall, useChange } from '../calls.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Confirm } from '../parts/Confirm.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { State } from '../parts/State.tsx';
import { Table } from '../parts/Table.tsx';
import type { TableColumn } from '../parts/table-column.ts';
import { browserName } from './browser-name.ts';

/** Where the account is signed in; each can be ended, and all others at once. */
export default function Sessions() {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const sessions = useCall<SessionInfo[]>(calls.listSessions);
  const end = useChange<null, { id?: string }>(calls.endSessions, {
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: [calls.listSessions] });
      setAsking(false);
    },
  });
  const columns: TableColumn<SessionInfo>[] = [
    { name: 'Browser', cell: ({ browser }) => browserName(browser) },
    { name: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
    { name: 'Last used', cell: ({ lastSeenAt }) => <Moment at={lastSeenAt} /> },
    {
      name: 'Action',
      hidden: true,
      cell: ({ id, current }) =>
        current ? (
          <State tone="good">This one</State>
        ) : (
          <BusyButton busy={end.isPending} onPress={() => end.mutate({ id })}>
            Sign out
          </BusyButton>
        ),
    },
  ];
  return (
    <Loaded query={sessions}>
      {(list) => (
        <>
          <Table label="Sessions" columns={columns} rows={list} rowId={({ id }) => id} />
          {end.error && !asking && <Failed sentence={end.error.message} />}
          {list.length > 1 && (
            <button type="button" className="button" onClick={() => setAsking(true)}>
              Sign out everywhere else
            </button>
          )}
          <Confirm
            title="Sign out everywhere else?"
            open={asking}
            action="Sign out all other sessions"
            busy={end.isPending}
            error={end.error}
            onConfirm={() => end.mutate({})}
            onClose={() => setAsking(false)}
          >
            <p>Every other browser has to sign in again. Text that was typed there but not sent stays there.</p>
          </Confirm>
        </>
      )}
    </Loaded>
  );
}
