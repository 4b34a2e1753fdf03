/** What a visitor typed, by form and field name: in memory only, for pages that are shown without a full load. */
const typed = new Map<string, Map<string, string>>();

/** Neither passwords, visible or not, nor codes, which prove an identity. */
const kept =
  'select, input:not([type=password], [type=hidden], [type=checkbox], [autocomplete$=password], [autocomplete=one-time-code])';

/** Restores what was typed into a form before a link left its page, and keeps what is typed from now on. */
export function keepTyped(form: HTMLFormElement, name: string): void {
  const values = typed.get(name) ?? new Map<string, string>();
  typed.set(name, values);
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>(kept)) {
    const untouched = field instanceof HTMLInputElement ? field.defaultValue : '';
    if (field.value === untouched) field.value = values.get(field.name) ?? field.value;
    else values.set(field.name, field.value);
    field.addEventListener('input', () => values.set(field.name, field.value));
  }
}
