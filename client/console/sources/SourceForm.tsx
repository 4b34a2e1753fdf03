import { useQueryClient } from '@tanstack/react-query';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Family, NewDataSource } from '../../contract/jobs/data-sources.ts';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';
import { FormSelect } from '../parts/FormSelect.tsx';
import { FormText } from '../parts/FormText.tsx';
import { type SettingField, settingFields, settingValues } from './settings-fields.ts';

/** The settings of one kind of system, as its card names them. */
export function SourceForm({ family, onAdded }: { family: Family; onAdded: (id: number) => void }) {
  const queries = useQueryClient();
  const fields = settingFields(family);
  const initial: Record<string, string> = {
    instanceDesc: '',
    ...Object.fromEntries(fields.map((field) => [field.name, field.initial])),
  };
  return (
    <ConsoleForm
      name={`data-source-${family.family}`}
      initial={initial}
      submit="Add data source"
      onSend={async ({ instanceDesc = '', ...values }) => {
        const body: NewDataSource = { type: family.name, instanceDesc, settings: settingValues(fields, values) };
        const id = await ask<string>(jobCalls.addDataSource, body);
        await queries.invalidateQueries({ queryKey: [jobCalls.listDataSources] });
        onAdded(Number(id));
        return 'Added.';
      }}
    >
      <FormField name="instanceDesc" label="Name" hint="How lists show it." maxLength={64} />
      {fields.map((field) => (
        <Setting key={field.name} field={field} />
      ))}
    </ConsoleForm>
  );
}

function Setting({ field: { name, title, description, kind, choices, optional } }: { field: SettingField }) {
  if (kind === 'choice')
    return <FormSelect name={name} label={title} options={choices.map((value) => ({ value, label: value }))} />;
  if (kind === 'long') return <FormText name={name} label={title} hint={description} optional={optional} />;
  return (
    <FormField
      name={name}
      label={title}
      hint={description}
      optional={optional}
      type={kind === 'secret' ? 'password' : 'text'}
      autoComplete={kind === 'secret' ? 'new-password' : 'off'}
      {...(kind === 'number' && { inputMode: 'numeric' as const })}
    />
  );
}
