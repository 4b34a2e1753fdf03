import { useController } from 'react-hook-form';
import { useFieldId } from './ConsoleForm.tsx';
import { Select } from './Select.tsx';

interface FormSelectProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  hint?: string;
  optional?: boolean;
  autoComplete?: string;
}

/** One of a set, in a ConsoleForm; what is shown is what is sent, also when the options come later. */
export function FormSelect({ name, ...select }: FormSelectProps) {
  const { field, fieldState } = useController({ name });
  return <Select id={useFieldId(name)} error={fieldState.error?.message} {...select} {...field} />;
}
