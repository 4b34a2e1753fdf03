import { element } from '../../browser/element.ts';
import { type Control, faultOf, labelOf } from './rules.ts';

const errorId = (field: Control) => `${field.name}-error`;

/** Shows or removes a sentence below a field; screen readers read it with the field. */
export function showFieldError(field: Control, sentence: string | undefined): void {
  const frame = field.closest('.field');
  frame?.querySelector('.field-error')?.remove();
  const described = (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter((id) => id && id !== errorId(field));
  if (sentence !== undefined) {
    frame?.append(element('p', { class: 'field-error', id: errorId(field) }, sentence));
    described.push(errorId(field));
  }
  field.ariaInvalid = sentence === undefined ? null : 'true';
  if (described.length > 0) field.setAttribute('aria-describedby', described.join(' '));
  else field.removeAttribute('aria-describedby');
}

/** The visible fields of a form. */
export function shownFields(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(
    (control): control is Control =>
      (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) &&
      control.name !== '' &&
      control.checkVisibility(),
  );
}

/** Checks every visible field. @returns those that are wrong */
export function checkForm(form: HTMLFormElement): Control[] {
  const fields = shownFields(form);
  for (const field of fields) showFieldError(field, faultOf(field));
  return fields.filter((field) => field.ariaInvalid === 'true');
}

/** A list of errors above the form, with links to the fields; read out and focused when it appears. */
export function showSummary(form: HTMLFormElement, sentence: string, fields: Control[] = []): void {
  hideSummary(form);
  const items = fields.map((field) =>
    element(
      'li',
      {},
      element(
        'a',
        {
          href: `#${field.id}`,
          click: (event) => {
            event.preventDefault();
            field.focus();
          },
        },
        field.closest('.field')?.querySelector('.field-error')?.textContent ?? labelOf(field),
      ),
    ),
  );
  const summary = element(
    'div',
    { class: 'form-errors', role: 'alert', tabindex: '-1' },
    element('p', {}, sentence),
    ...(items.length > 0 ? [element('ul', {}, ...items)] : []),
  );
  form.prepend(summary);
  summary.focus();
}

export function hideSummary(form: HTMLFormElement): void {
  form.querySelector('.form-errors')?.remove();
}
