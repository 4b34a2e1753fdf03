import { useQueryClient } from '@tanstack/react-query';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { Family, NewDataSource } from '../../contract/jobs/data-sources.ts';
import { ask } from '../calls.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';
import { Settings } from './Settings.tsx';
import { settingFields, settingValues } from './settings-fields.ts';

/** The settings of one kind of system, as its card defines them. */
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
      clears
      onSend={async ({ instanceDesc = '', ...values }) => {
        const body: NewDataSource = { type: family.name, instanceDesc, settings: settingValues(fields, values) };
        const id = await ask<string>(jobCalls.addDataSource, body);
        await queries.invalidateQueries({ queryKey: [jobCalls.listDataSources] });
        onAdded(Number(id));
        return 'Added. Its test is in the list above.';
      }}
    >
      <FormField name="instanceDesc" label="Name" hint="Shown in lists." maxLength={64} />
      <Settings fields={fields} />
    </ConsoleForm>
  );
}
