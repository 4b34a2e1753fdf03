import { FormField } from '../parts/FormField.tsx';
import { FormSelect } from '../parts/FormSelect.tsx';
import { FormText } from '../parts/FormText.tsx';
import type { SettingField } from './settings-fields.ts';

/** One setting of a data source, in a ConsoleForm. */
export function Setting({ field: { name, title, description, kind, choices, optional } }: { field: SettingField }) {
  if (kind === 'choice')
    return (
      <FormSelect
        name={name}
        label={title}
        hint={description}
        options={choices.map((value) => ({ value, label: value }))}
      />
    );
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
