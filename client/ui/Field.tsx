import type { InputHTMLAttributes, ReactNode } from 'react';
import { Icon } from './Icon.tsx';

interface FrameProps {
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
  children: ReactNode;
}

/** Label above, control, hint below: the one way a field looks. */
function Frame({ name, label, hint, optional, children }: FrameProps) {
  return (
    <div className="field">
      <label htmlFor={name}>
        {label}
        {optional && <span className="field-optional">optional</span>}
      </label>
      {children}
      {hint && (
        <p className="field-hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = Omit<FrameProps, 'children'> &
  Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'name'> & {
    /** Stands at the end of the field. */
    button?: ReactNode;
    [data: `data-${string}`]: string;
  };

/** A native input; `name` is the call's field and the element's id. Required unless it is marked as optional. */
export function TextField({ name, label, hint, optional = false, button, ...input }: TextFieldProps) {
  const control = (
    <input
      className="input"
      id={name}
      name={name}
      required={!optional}
      {...(hint && { 'aria-describedby': `${name}-hint` })}
      {...input}
    />
  );
  return (
    <Frame name={name} label={label} optional={optional} {...(hint && { hint })}>
      {button ? (
        <div className="field-with-button">
          {control}
          {button}
        </div>
      ) : (
        control
      )}
    </Frame>
  );
}

interface SelectFieldProps extends Omit<FrameProps, 'children'> {
  autoComplete: string;
  /** Text of the first, empty choice. */
  empty: string;
  options: { value: string; label: string }[];
}

/** A native select whose first choice is empty. */
export function SelectField({ name, label, hint, optional = false, autoComplete, empty, options }: SelectFieldProps) {
  return (
    <Frame name={name} label={label} optional={optional} {...(hint && { hint })}>
      <div className="field-select">
        <select
          className="input"
          id={name}
          name={name}
          autoComplete={autoComplete}
          required={!optional}
          defaultValue=""
        >
          <option value="">{empty}</option>
          {options.map(({ value, label: text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <Icon name="chevron" />
      </div>
    </Frame>
  );
}

/** A tick box with its sentence beside it. */
export function CheckField({ name, children }: { name: string; children: ReactNode }) {
  return (
    <label className="field-check">
      <input type="checkbox" name={name} />
      <span>{children}</span>
    </label>
  );
}
