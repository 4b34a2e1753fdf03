/** A field whose value counts, also when it was entered before React listened. */
export type Field = HTMLInputElement | HTMLSelectElement;

/** True for such a field; a click on a box or a button that came too early is done again by itself. */
function isField(node: unknown): node is Field {
  if (node instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|reset|file)$/.test(node.type);
  return node instanceof HTMLSelectElement;
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLInputElement) return field.value !== field.defaultValue;
  return [...field.options].some((option) => option.selected !== option.defaultSelected);
}

/** Fields that hold something else than the server sent: filled before our scripts came, or again by the browser. */
export function changedFields(place: Element): Field[] {
  return [...place.querySelectorAll('*')].filter(isField).filter(isChanged);
}

/** What was entered before React listened, by field. */
export interface EarlyInput {
  values: Map<Field, string>;
  stop(): void;
}

/** Notes what fields hold, and what is entered until `stop`: React puts its own values back while it takes over. */
export function noteEarlyInput(place: Element): EarlyInput {
  const values = new Map(changedFields(place).map((field) => [field, field.value]));
  const note = ({ target }: Event) => isField(target) && values.set(target, target.value);
  place.addEventListener('input', note, true);
  return { values, stop: () => place.removeEventListener('input', note, true) };
}
