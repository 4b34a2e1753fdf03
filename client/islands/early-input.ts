import { parseJson } from '../browser/json.ts';
import { session } from '../browser/storage.ts';

/** A field whose value counts, even if it was entered before React listened. */
export type Field = HTMLInputElement | HTMLSelectElement;

/** True for such a field; a premature click on a checkbox or a button is repeated separately. */
function isField(node: unknown): node is Field {
  if (node instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|reset|file)$/.test(node.type);
  return node instanceof HTMLSelectElement;
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLInputElement) return field.value !== field.defaultValue;
  return [...field.options].some((option) => option.selected !== option.defaultSelected);
}

/** The fields in a part of the page, in order. */
function fieldsOf(place: Element): Field[] {
  return [...place.querySelectorAll('*')].filter(isField);
}

/**
 * Fields whose content differs from what the server sent: filled before our scripts arrived, or restored by the
 * browser.
 */
export function changedFields(place: Element): Field[] {
  return fieldsOf(place).filter(isChanged);
}

const keptFields = ({ dataset }: HTMLElement) => `fields:${dataset.island}`;

/** Keeps what is entered in an island for the page that is loaded next. */
export function keepFields(place: HTMLElement): void {
  session.set(keptFields(place), JSON.stringify(fieldsOf(place).map(({ value }) => value)));
}

/** Enters it again, once. */
export function restoreFields(place: HTMLElement): void {
  const values = parseJson(session.get(keptFields(place)));
  if (!Array.isArray(values)) return;
  session.set(keptFields(place), null);
  for (const [at, field] of fieldsOf(place).entries()) field.value = String(values[at] ?? field.value);
}

/** What was entered before React listened, by field. */
export interface EarlyInput {
  values: Map<Field, string>;
  stop(): void;
}

/** Records what fields contain, and what is entered until `stop`: React resets the values while it takes over. */
export function noteEarlyInput(place: Element): EarlyInput {
  const values = new Map(changedFields(place).map((field) => [field, field.value]));
  const note = ({ target }: Event) => isField(target) && values.set(target, target.value);
  place.addEventListener('input', note, true);
  return { values, stop: () => place.removeEventListener('input', note, true) };
}
