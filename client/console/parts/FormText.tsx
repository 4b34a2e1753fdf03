import { useFormContext } from 'react-hook-form';
import { describedBy, FieldFrame } from '../../ui/FieldFrame.tsx';
import { useFieldId } from './ConsoleForm.tsx';

/** A long text of a ConsoleForm, such as a certificate. */
export function FormText({
  name,
  label,
  hint,
  optional,
}: {
  name: string;
  label: string;
  hint?: string;
  optional?: boolean;
}) {
  const { register, formState } = useFormContext();
  const id = useFieldId(name);
  const error = formState.errors[name];
  return (
    <FieldFrame id={id} label={label} hint={hint} optional={optional} error={error && String(error.message)}>
      <textarea
        className="input"
        id={id}
        rows={4}
        spellCheck={false}
        aria-describedby={describedBy(id, { hint, error })}
        aria-invalid={error ? true : undefined}
        {...register(name)}
      />
    </FieldFrame>
  );
}
