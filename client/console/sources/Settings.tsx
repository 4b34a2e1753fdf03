import { useFormContext } from 'react-hook-form';
import { Setting } from './Setting.tsx';
import type { SettingField } from './settings-fields.ts';

/** The settings of a data source, in a ConsoleForm; rare ones are folded away until they are filled in or wrong. */
export function Settings({ fields }: { fields: readonly SettingField[] }) {
  const { getValues, formState } = useFormContext<Record<string, string>>();
  const rare = fields.filter((field) => field.rare);
  const isUsed = rare.some(({ name, usual }) => name in formState.errors || getValues(name) !== usual);
  return (
    <>
      {fields
        .filter((field) => !field.rare)
        .map((field) => (
          <Setting key={field.name} field={field} />
        ))}
      {rare.length > 0 && (
        <details className="job-figures" open={isUsed}>
          <summary>More settings</summary>
          <div className="form-fields">
            {rare.map((field) => (
              <Setting key={field.name} field={field} />
            ))}
          </div>
        </details>
      )}
    </>
  );
}
