import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { DataSource, Family } from '../../contract/jobs/data-sources.ts';
import { ask, Refused } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { Settings } from './Settings.tsx';
import { type SettingField, settingFields } from './settings-fields.ts';

/** Settings that say where a secret is sent. */
const places: readonly string[] = ['host', 'port', 'user'];
const askAgain = 'Enter it again: it is used at the new address, or for the new user.';

interface SourceChangeProps {
  source: DataSource;
  family: Family;
  onSaved: () => void;
}

/** Changes settings of a data source, such as a password that was changed at the database. */
export function SourceChange({ source, family, onSaved }: SourceChangeProps) {
  const queries = useQueryClient();
  const fields = settingFields(family).map((field) => toChange(field, source));
  // As the form began: what somebody else changes meanwhile is not taken back.
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
        return 'Saved. Jobs that run take it at their next start.';
      }}
    >
      <Settings fields={fields} />
    </ConsoleForm>
  );
}

/** A field with what is stored in it; a secret is never sent back, so that an empty one leaves it alone. */
function toChange(field: SettingField, { settings, secretsSet }: DataSource): SettingField {
  if (field.kind !== 'secret') return { ...field, initial: String(settings[field.name] ?? field.initial) };
  const description = secretsSet.includes(field.name)
    ? 'Empty: it stays as it is. Another host, port or user asks for it again.'
    : 'None can be read: enter it.';
  return { ...field, initial: '', optional: true, description };
}
