import type { InputHTMLAttributes, ReactNode } from 'react';
import { FieldFrame, type FieldFrameProps } from './FieldFrame.tsx';
import { Icon } from './Icon.tsx';

interface FieldProps extends Pick<FieldFrameProps, 'label' | 'hint' | 'optional'> {
  /** The call's field name, and the control's id. */
  name: string;
}

type TextFieldProps = FieldProps &
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
    <FieldFrame id={name} label={label} optional={optional} hint={hint}>
      {button ? (
        <div className="field-with-button">
          {control}
          {button}
        </div>
      ) : (
        control
      )}
    </FieldFrame>
  );
}

interface SelectFieldProps extends FieldProps {
  autoComplete: string;
  /** Text of the first, empty option. */
  empty: string;
  options: { value: string; label: string }[];
}

/** A native select whose first option is empty. */
export function SelectField({ name, label, hint, optional = false, autoComplete, empty, options }: SelectFieldProps) {
  return (
    <FieldFrame id={name} label={label} optional={optional} hint={hint}>
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
    </FieldFrame>
  );
}

/** A checkbox with its sentence beside it. */
export function CheckField({ name, children }: { name: string; children: ReactNode }) {
  return (
    <label className="field-check">
      <input type="checkbox" name={name} />
      <span>{children}</span>
    </label>
  );
}
