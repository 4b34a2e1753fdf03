import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import { type DefaultValues, type FieldValues, FormProvider, type Path, useForm } from 'react-hook-form';
import { Refused } from '../calls.ts';
import { keepDraft, readDraft } from './drafts.ts';

/** Name of the form around a field: two forms of a page may have fields of the same name. */
const FormName = createContext('');

/** The id of a field's element. */
export function useFieldId(name: string): string {
  return `${useContext(FormName)}-${name}`;
}

interface ConsoleFormProps<Values extends FieldValues> {
  /** Name of its draft, unique in the console. */
  name: string;
  initial: Values;
  submit: string;
  /** Sends the values; what it throws is shown, and nothing typed is lost. */
  onSend: (values: Values) => Promise<string | undefined>;
  children: ReactNode;
}

/**
 * A form: checked on change, the server's faults at the fields and above, sent once, its draft kept until it is sent.
 * `onSend` may return a sentence that is shown when it was done.
 */
export function ConsoleForm<Values extends FieldValues>({
  name,
  initial,
  submit,
  onSend,
  children,
}: ConsoleFormProps<Values>) {
  const form = useForm<Values>({
    mode: 'onChange',
    defaultValues: { ...initial, ...readDraft(name) } as DefaultValues<Values>,
  });
  const { errors, isSubmitting, isSubmitSuccessful } = form.formState;
  const summary = useRef<HTMLDivElement>(null);
  const done = useRef<string>(undefined);

  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => keepDraft(name, values) }),
    [form, name],
  );

  const send = form.handleSubmit(
    async (values) => {
      try {
        done.current = await onSend(values);
        keepDraft(name, null);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error instanceof Refused) {
          for (const [field, message] of Object.entries(error.fields))
            form.setError(field as Path<Values>, { message });
        }
        form.setError('root', { message: error.message });
        summary.current?.focus();
      }
    },
    () => summary.current?.focus(),
  );

  const { root } = errors;
  const wrong = Object.keys(errors).filter((field) => field !== 'root').length;
  return (
    <FormProvider {...form}>
      <form className="form" noValidate onSubmit={(event) => void send(event)}>
        <div
          className="form-errors"
          role="alert"
          tabIndex={-1}
          ref={summary}
          hidden={!root && !(wrong > 0 && form.formState.submitCount > 0)}
        >
          <p>
            {root?.message ?? (wrong === 1 ? 'One field needs your attention.' : 'Some fields need your attention.')}
          </p>
        </div>
        <FormName value={name}>
          <div className="form-fields">{children}</div>
        </FormName>
        <div className="console-actions">
          <button type="submit" className="button button-primary" aria-disabled={isSubmitting}>
            {submit}
          </button>
          <p role="status">{isSubmitSuccessful && !root ? done.current : ''}</p>
        </div>
      </form>
    </FormProvider>
  );
}
