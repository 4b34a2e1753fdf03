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

/** A choice in a ConsoleForm; the value shown is the value sent, even if the options load later. */
export function FormSelect({ name, ...select }: FormSelectProps) {
  const { field, fieldState } = useController({ name });
  return <Select id={useFieldId(name)} error={fieldState.error?.message} {...select} {...field} />;
}
