import type { ReactNode } from 'react';
import { useFormContext } from 'react-hook-form';
import { FieldFrame } from '../../ui/FieldFrame.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useFieldId } from './ConsoleForm.tsx';

interface FormSelectProps {
  name: string;
  label: string;
  optional?: boolean;
  autoComplete?: string;
  /** Its options. */
  children: ReactNode;
}

/** One of a set, in a ConsoleForm. */
export function FormSelect({ name, label, optional = false, autoComplete, children }: FormSelectProps) {
  const { register } = useFormContext();
  const id = useFieldId(name);
  return (
    <FieldFrame id={id} label={label} optional={optional}>
      <div className="field-select">
        <select id={id} autoComplete={autoComplete} {...register(name)}>
          {children}
        </select>
        <Icon name="chevron" />
      </div>
    </FieldFrame>
  );
}
