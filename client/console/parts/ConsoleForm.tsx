import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldValues, FormProvider, type Path, useForm } from 'react-hook-form';
import { keepDraft, readDraft } from '../../account/drafts.ts';
import { Refused } from '../calls.ts';
import { FormSummary } from './FormSummary.tsx';

/** Name of the form around a field: two forms on a page may have fields with the same name. */
const FormName = createContext('');

/** The id of a field's element. */
export function useFieldId(name: string): string {
  return `${useContext(FormName)}-${name}`;
}

/** The server's messages for fields that this form has. */
function refusedFields(error: Error, values: object): [name: string, message: string][] {
  if (!(error instanceof Refused)) return [];
  // `addresses.0` is an entry in the list that one field holds.
  const named = Object.entries(error.fields).map(([path, message]): [string, string] => [
    path.split('.')[0] ?? path,
    message,
  ]);
  return named.filter(([field]) => Object.hasOwn(values, field));
}

interface ConsoleFormProps<Values extends FieldValues> {
  /** Name of its draft, unique in the console. */
  name: string;
  initial: Values;
  submit: string;
  /** Sends the values; an error that it throws is shown, and nothing typed is lost. */
  onSend: (values: Values) => Promise<string | undefined>;
  /** Called whenever something is typed or chosen. */
  onChange?: () => void;
  /** Empties the form once it has been sent. */
  clears?: boolean;
  /** Keeps its draft after sending too, until it is forgotten by `keepDraft(name, null)`. */
  keeps?: boolean;
  children: ReactNode;
}

/**
 * A form: checked on change, with the server's faults at the fields and above, sent once, its draft kept until then.
 * `onSend` may return a sentence that is shown on success, until something is changed.
 */
export function ConsoleForm<Values extends FieldValues>({
  name,
  initial,
  submit,
  onSend,
  onChange,
  clears = false,
  keeps = false,
  children,
}: ConsoleFormProps<Values>) {
  const form = useForm<Values>({
    mode: 'onChange',
    // The summary takes the focus.
    shouldFocusError: false,
    defaultValues: { ...initial, ...readDraft(name) } as DefaultValues<Values>,
  });
  const { errors, isSubmitting, submitCount } = form.formState;
  const [done, setDone] = useState<string>();
  const sending = useRef(false);
  /** The values that a draft is compared with: unchanged fields come from the server the next time. */
  const base = useRef<FieldValues>(initial);
  /** Whether anything was typed after sending: that waits for another press. */
  const isEdited = useRef(false);

  // Before the form is painted: nothing that is typed may be missed.
  useLayoutEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values }) => {
          isEdited.current = true;
          setDone(undefined);
          const changed = Object.entries(values).filter(([field, value]) => value !== base.current[field]);
          keepDraft(name, changed.length === 0 ? null : Object.fromEntries(changed));
        },
      }),
    [form, name],
  );

  const afterSending = (values: Values) => {
    if (!clears && !keeps) base.current = values;
    if (isEdited.current) return;
    if (!keeps) keepDraft(name, null);
    if (clears) form.reset(initial);
  };
  const send = form.handleSubmit(
    async (values) => {
      try {
        isEdited.current = false;
        setDone(undefined);
        const sentence = await onSend(values);
        afterSending(values);
        setDone(sentence);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        for (const [field, message] of refusedFields(error, values)) form.setError(field as Path<Values>, { message });
        form.setError('root', { message: error.message });
      }
    },
    () => setDone(undefined),
  );

  return (
    <FormProvider {...form}>
      <form
        className="form"
        noValidate
        onChange={onChange}
        onSubmit={(event) => {
          event.preventDefault();
          // A second press while sending does nothing, however quick it is.
          if (sending.current) return;
          sending.current = true;
          void send(event).finally(() => {
            sending.current = false;
          });
        }}
      >
        <FormSummary
          errors={errors}
          submitCount={submitCount}
          onFocus={(field) => form.setFocus(field as Path<Values>)}
        />
        <FormName value={name}>
          <div className="form-fields">{children}</div>
        </FormName>
        <div className="console-actions">
          <button type="submit" className="button button-primary" aria-disabled={isSubmitting}>
            {submit}
          </button>
          <p role="status">{done}</p>
        </div>
      </form>
    </FormProvider>
  );
}
