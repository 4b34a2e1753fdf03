import { useEffect, useRef } from 'react';
import { useFormContext } from 'react-hook-form';
import { Setting } from './Setting.tsx';
import type { SettingField } from './settings-fields.ts';

/** The settings of a data source, in a ConsoleForm; rare ones are folded away until they are filled in or wrong. */
export function Settings({ fields }: { fields: readonly SettingField[] }) {
  const { getValues, formState } = useFormContext<Record<string, string>>();
  const rare = fields.filter((field) => field.rare);
  const { errors, submitCount } = formState;
  const isWrong = rare.some(({ name }) => name in errors);
  const isUsed = isWrong || rare.some(({ name, usual }) => getValues(name) !== usual);
  const folded = useRef<HTMLDetailsElement>(null);

  // React opens it only when the attribute changes: not after it was folded by hand.
  useEffect(() => {
    if (isWrong && submitCount > 0 && folded.current) folded.current.open = true;
  }, [isWrong, submitCount]);

  return (
    <>
      {fields
        .filter((field) => !field.rare)
        .map((field) => (
          <Setting key={field.name} field={field} />
        ))}
      {rare.length > 0 && (
        <details ref={folded} className="job-figures" open={isUsed}>
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
