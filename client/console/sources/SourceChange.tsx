import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { DataSource, Family } from '../../contract/jobs/data-sources.ts';
import { ask, Refused } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { Settings } from './Settings.tsx';
import { type SettingField, settingFields } from './settings-fields.ts';

/** Settings that determine where a secret is sent. */
const places: readonly string[] = ['host', 'port', 'user'];
const askAgain = 'Enter it again: it is used at the new address, or for the new user.';

interface SourceChangeProps {
  source: DataSource;
  family: Family;
  onSaved: () => void;
}

/** Changes settings of a data source, such as a password that was changed in the database. */
export function SourceChange({ source, family, onSaved }: SourceChangeProps) {
  const queries = useQueryClient();
  const fields = settingFields(family).map((field) => toChange(field, source));
  // The values the form started with: what another user changes meanwhile is not reverted.
  const [initial, begin] = useState<Record<string, string>>(() =>
    Object.fromEntries(fields.map((field) => [field.name, field.initial])),
  );
  return (
    <ConsoleForm
      name={`data-source-${source.id}`}
      initial={initial}
      submit="Save settings"
      onSend={async (values) => {
        const changed = fields.filter(({ name }) => values[name] !== initial[name]);
        if (changed.length === 0) return 'Nothing was changed.';
        const secret = fields.find(({ kind, name }) => kind === 'secret' && source.secretsFilled.includes(name));
        if (secret && values[secret.name] === '' && changed.some(({ name }) => places.includes(name)))
          throw new Refused({ code: 'INVALID_FIELDS', msg: 'Nothing was saved.', fields: { [secret.name]: askAgain } });
        const updateConfigs = Object.fromEntries(changed.map(({ name }) => [name, values[name]]));
        await ask<null>(jobCalls.changeDataSource, { dataSourceId: source.id, updateConfigs });
        begin(values);
        await queries.invalidateQueries({ queryKey: [jobCalls.listDataSources] });
        onSaved();
        return 'Saved. Running jobs use the new settings from their next start.';
      }}
    >
      <Settings fields={fields} />
    </ConsoleForm>
  );
}

/** A field with its stored value; secrets are never sent back, so an empty one leaves the stored one unchanged. */
function toChange(field: SettingField, { settings, secretsSet }: DataSource): SettingField {
  if (field.kind !== 'secret') return { ...field, initial: String(settings[field.name] ?? field.initial) };
  const description = secretsSet.includes(field.name)
    ? 'Empty: it stays as it is. If you change the host, port or user, enter it again.'
    : 'The stored one cannot be read, or there is none: enter it.';
  return { ...field, initial: '', optional: true, description };
}
