import type { SelectHTMLAttributes } from 'react';
import { describedBy, FieldFrame } from '../../ui/FieldFrame.tsx';
import { Icon } from '../../ui/Icon.tsx';

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  id: string;
  label: string;
  options: readonly { value: string; label: string }[];
  hint?: string;
  optional?: boolean;
  error?: string | undefined;
}

/** The browser's own select list, which phones and password managers know how to fill in. */
export function Select({ id, label, options, hint, optional, error, ...select }: SelectProps) {
  return (
    <FieldFrame id={id} label={label} hint={hint} optional={optional} error={error}>
      <div className="field-select">
        <select
          className="input"
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { hint, error })}
          {...select}
        >
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <Icon name="chevron" />
      </div>
    </FieldFrame>
  );
}
