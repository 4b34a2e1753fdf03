import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { ConnectedIdentity } from '../../contract/console/sso.ts';
import { useCall, useChange } from '../calls.ts';
import { Confirm } from '../parts/Confirm.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Table } from '../parts/Table.tsx';
import type { TableColumn } from '../parts/table-column.ts';

/** The provider's name for people: the host of its address. */
const nameOf = ({ issuer }: ConnectedIdentity) => URL.parse(issuer)?.host ?? issuer;

/** The provider identities that can sign in to the account; each can be removed. */
export default function Identities() {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<ConnectedIdentity>();
  const identities = useCall<ConnectedIdentity[]>(calls.listIdentities);
  const remove = useChange<null, Pick<ConnectedIdentity, 'issuer' | 'subject'>>(calls.removeIdentity, {
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: [calls.listIdentities] });
      await queries.invalidateQueries({ queryKey: [calls.listSessions] });
      setAsked(undefined);
    },
  });
  const columns: TableColumn<ConnectedIdentity>[] = [
    { name: 'Provider', cell: nameOf },
    { name: 'Your ID there', cell: ({ subject }) => <code>{subject}</code> },
    { name: 'Since', cell: ({ connectedAt }) => <Moment at={connectedAt} /> },
    {
      name: 'Action',
      hidden: true,
      cell: (identity) => (
        <button type="button" className="button" onClick={() => setAsked(identity)}>
          Remove<span className="visually-hidden"> {nameOf(identity)}</span>
        </button>
      ),
    },
  ];
  return (
    <Loaded query={identities}>
      {(list) =>
        list.length > 0 && (
          <>
            <Table
              label="Connected providers"
              columns={columns}
              rows={list}
              rowId={({ issuer, subject }) => `${issuer} ${subject}`}
            />
            <Confirm
              title="Remove this sign-in?"
              open={asked !== undefined}
              action="Remove it"
              busy={remove.isPending}
              error={remove.error}
              onConfirm={() => asked && remove.mutate({ issuer: asked.issuer, subject: asked.subject })}
              onClose={() => setAsked(undefined)}
            >
              <p>
                {asked && nameOf(asked)} will no longer sign in to this account. If you have no password yet, set one
                with <a href="/resetPwd">a code</a>. Every other session of the account ends.
              </p>
            </Confirm>
          </>
        )
      }
    </Loaded>
  );
}
