import { useFormContext } from 'react-hook-form';
import { useFieldId } from './ConsoleForm.tsx';
import { Select } from './Select.tsx';

interface FormSelectProps {
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  optional?: boolean;
  autoComplete?: string;
}

/** One of a set, in a ConsoleForm. */
export function FormSelect({ name, ...select }: FormSelectProps) {
  const { register, formState } = useFormContext();
  const error = formState.errors[name];
  return <Select id={useFieldId(name)} error={error && String(error.message)} {...select} {...register(name)} />;
}
