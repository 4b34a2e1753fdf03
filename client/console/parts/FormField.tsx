import type { InputHTMLAttributes } from 'react';
import { type RegisterOptions, useFormContext } from 'react-hook-form';

interface FormFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'name'> {
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
  rules?: RegisterOptions;
}

/** A field of a ConsoleForm, with the specification's words for what is wrong. */
export function FormField({ name, label, hint, optional = false, rules = {}, ...input }: FormFieldProps) {
  const { register, formState } = useFormContext();
  const error = formState.errors[name];
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}
        {optional && <span className="field-optional">optional</span>}
      </label>
      <input
        id={name}
        {...(described && { 'aria-describedby': described })}
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
      {hint && (
        <p className="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="field-error" id={`${name}-error`}>
          {String(error.message)}
        </p>
      )}
    </div>
  );
}
