import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dayOf } from '../../contract/dates.ts';
import type { ApiKey, CreatedApiKey, NewApiKey } from '../../contract/jobs/api-keys.ts';
import { jobCalls } from '../../contract/jobs/calls.ts';
import { limitGroups } from '../../contract/jobs/key-groups.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ask, mayHaveNoJobs, useCall, useChange } from '../calls.ts';
import { Confirm } from '../parts/Confirm.tsx';
import { ConsoleForm, useFieldId } from '../parts/ConsoleForm.tsx';
import { Day } from '../parts/Day.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { Empty } from '../parts/Empty.tsx';
import { FormField } from '../parts/FormField.tsx';
import { FormSelect } from '../parts/FormSelect.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { PlainTable } from '../parts/PlainTable.tsx';
import { Section } from '../parts/Section.tsx';
import type { TableColumn } from '../parts/table-column.ts';
import '../jobs/jobs.css';

const damaged = 'nothing: its stored limits cannot be read, so revoke it and create another one';

/** Keys with which other programs call the open API. */
export default function ApiKeys() {
  const queries = useQueryClient();
  const keys = useCall<ApiKey[]>(jobCalls.listApiKeys);
  const [created, setCreated] = useState<CreatedApiKey>();
  const [asking, setAsking] = useState<ApiKey>();
  const reload = () => queries.invalidateQueries({ queryKey: [jobCalls.listApiKeys] });
  const revoke = useChange<null, { id: string }>(jobCalls.revokeApiKey, {
    async onSuccess() {
      await reload();
      setAsking(undefined);
    },
  });
  return (
    <>
      <Loaded query={keys} lines={4}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No API key yet">
              <p>
                A key allows your own programs to create and control jobs. It can be limited to addresses and groups of
                calls.
              </p>
            </Empty>
          ) : (
            <PlainTable label="API keys" columns={columns(setAsking)} rows={list} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      {!mayHaveNoJobs(keys.error) && (
        <Section title="New key">
          <KeyForm
            onCreated={(key) => {
              setCreated(key);
              return reload();
            }}
          />
        </Section>
      )}
      <Dialog title="The new key" open={created !== undefined} keeps onClose={() => setCreated(undefined)}>
        {created && <Secret created={created} />}
      </Dialog>
      <Confirm
        title={`Revoke ${asking?.name ?? ''}?`}
        open={asking !== undefined}
        action="Revoke"
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => asking && revoke.mutate({ id: asking.id })}
        onClose={() => setAsking(undefined)}
      >
        <p>Programs that use this key are refused from now on.</p>
      </Confirm>
    </>
  );
}

function columns(onRevoke: (key: ApiKey) => void): TableColumn<ApiKey>[] {
  return [
    {
      name: 'Key',
      cell: ({ name, accessKey }) => (
        <span>
          {name}
          <small className="job-message">{accessKey}</small>
        </span>
      ),
    },
    { name: 'May call', cell: (key) => (key.damaged ? damaged : key.groups.join(', ') || 'everything') },
    { name: 'From', cell: (key) => (key.damaged ? 'nowhere' : key.addresses.join(', ') || 'anywhere') },
    { name: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Moment at={lastUsedAt} />) },
    { name: 'Expires', cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Day iso={dayOf(expiresAt)} />) },
    {
      name: 'Action',
      hidden: true,
      cell: (key) => (
        <button type="button" className="button" onClick={() => onRevoke(key)}>
          Revoke <span className="visually-hidden">{key.name}</span>
        </button>
      ),
    },
  ];
}

const groupOptions = [
  { value: '', label: 'Everything' },
  ...limitGroups.map((value) => ({ value, label: `${value} calls` })),
];
const day = /^\d{4}-\d{2}-\d{2}$/;

function KeyForm({ onCreated }: { onCreated: (key: CreatedApiKey) => Promise<void> }) {
  return (
    <ConsoleForm
      name="api-key"
      initial={{ name: '', groups: '', addresses: '', expiresAt: '' }}
      submit="Create key"
      clears
      onSend={async ({ name, groups, addresses, expiresAt }) => {
        const group = limitGroups.find((one) => one === groups);
        const body: NewApiKey = {
          name,
          ...(group && { groups: [group] }),
          ...(addresses.trim() !== '' && { addresses: addresses.split(/[\s,]+/).filter(Boolean) }),
          ...(day.test(expiresAt) && { expiresAt: Date.parse(`${expiresAt}T23:59:59Z`) }),
        };
        await onCreated(await ask<CreatedApiKey>(jobCalls.createApiKey, body));
        return undefined;
      }}
    >
      <FormField name="name" label="Name" maxLength={64} />
      <FormSelect name="groups" label="May call" options={groupOptions} />
      <FormField
        name="addresses"
        label="From addresses"
        hint="Addresses or networks such as 192.0.2.0/24, separated by spaces. Empty: from anywhere."
        optional
      />
      <ExpiryField />
    </ConsoleForm>
  );
}

function ExpiryField() {
  const id = useFieldId('expiresAt');
  /** A field with a part of a date, or one that does not exist, reads as empty: the key would never expire. */
  const isWhole = (text: string) => {
    const field = document.getElementById(id);
    return day.test(text) || (text === '' && !(field instanceof HTMLInputElement && field.validity.badInput));
  };
  return (
    <FormField
      name="expiresAt"
      label="Expires on (UTC)"
      type="date"
      // Four digits of a year.
      max="9999-12-31"
      optional
      rules={{ validate: (text) => isWhole(text) || 'Please enter a whole date, or none' }}
    />
  );
}

/** Shown only once: the server does not store the secret in plain. */
function Secret({ created: { accessKey, secret } }: { created: CreatedApiKey }) {
  return (
    <>
      <p>The secret is shown only once. Store it where your program can read it.</p>
      <dl className="console-facts">
        <dt>Access key</dt>
        <dd className="console-copy">
          <code>{accessKey}</code>
        </dd>
        <dt>Secret</dt>
        <dd className="console-copy">
          <code>{secret}</code>
        </dd>
      </dl>
      <div className="console-actions">
        <CopyButton text={`${accessKey}.${secret}`} name="key and secret for the Authorization header" />
        <span className="field-hint">
          As <code>Authorization: Bearer key.secret</code>
        </span>
      </div>
    </>
  );
}
