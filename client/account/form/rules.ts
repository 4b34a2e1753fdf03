/** A form control that takes text or one of several options. */
export type Control = HTMLInputElement | HTMLSelectElement;

/** A field's name: the text of its label. */
export function labelOf(field: Control): string {
  // Not through `labels`: WebKitGTK 2.50 crashes when a page that asked for it is replaced, as after signing in.
  return field.closest('.field')?.querySelector('label')?.firstChild?.textContent?.trim() ?? field.name;
}

const length = (text: string) => [...text].length;

/** What is wrong with a field by the rules in its markup, as a sentence; undefined when nothing is. */
export function faultOf(field: Control): string | undefined {
  const label = labelOf(field);
  const { value, required } = field;
  if (value === '') return required ? `Please enter ${label}` : undefined;
  if (required && value.trim() === '') return `${label} cannot be blank`;
  if (field instanceof HTMLSelectElement) return undefined;
  if (field.dataset.same !== undefined) {
    const other = field.form?.elements.namedItem(field.dataset.same);
    if (other instanceof HTMLInputElement && other.value !== value) return `${label} is not the same`;
  }
  return lengthFault(field, label) ?? formatFault(field, label);
}

function lengthFault({ value, minLength, maxLength }: HTMLInputElement, label: string): string | undefined {
  if (minLength > 0 && length(value) < minLength) return `${label} must be at least ${minLength} characters`;
  if (maxLength > 0 && length(value) > maxLength) return `${label} cannot be longer than ${maxLength} characters`;
  return undefined;
}

function formatFault({ validity, dataset }: HTMLInputElement, label: string): string | undefined {
  if (validity.typeMismatch) return `${label} is not a valid e-mail address`;
  if (validity.patternMismatch) return dataset.patternText ?? `${label} does not match the expected pattern`;
  return undefined;
}
