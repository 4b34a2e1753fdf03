import type { InputHTMLAttributes, ReactNode } from 'react';
import { type RegisterOptions, useFormContext } from 'react-hook-form';
import { describedBy, FieldFrame } from '../../ui/FieldFrame.tsx';
import { useFieldId } from './ConsoleForm.tsx';

interface FormFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'name'> {
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
  rules?: RegisterOptions;
  /** Shown at the end of the field. */
  button?: ReactNode;
  /** Shown below the field. */
  children?: ReactNode;
}

/** A field of a ConsoleForm, with the same messages as the fields of the site's forms. */
export function FormField({
  name,
  label,
  hint,
  optional = false,
  rules = {},
  button,
  children,
  ...input
}: FormFieldProps) {
  const { register, formState } = useFormContext();
  const id = useFieldId(name);
  const error = formState.errors[name];
  const control = (
    <input
      className="input"
      id={id}
      aria-describedby={describedBy(id, { hint, error })}
      aria-invalid={error ? true : undefined}
      {...input}
      {...register(name, {
        ...(!optional && {
          required: `Please enter ${label}`,
          validate: { blank: (value) => String(value).trim() !== '' || `${label} cannot be blank` },
        }),
        ...rules,
      })}
    />
  );
  return (
    <FieldFrame id={id} label={label} hint={hint} optional={optional} error={error && String(error.message)}>
      {button ? (
        <div className="field-with-button">
          {control}
          {button}
        </div>
      ) : (
        control
      )}
      {children}
    </FieldFrame>
  );
}
