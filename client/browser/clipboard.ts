import { element } from './element.ts';

/** As the visitor's own keys would do it: a field beside the button is selected, so that an open dialog does not forbid it. */
function copySelection(text: string, button: HTMLElement): void {
  const field = element('textarea', { class: 'visually-hidden', readonly: true, tabindex: '-1' }, text);
  // Else what the class says of lines would take the indents away.
  field.style.whiteSpace = 'pre';
  button.after(field);
  field.focus({ preventScroll: true });
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  button.focus({ preventScroll: true });
  if (!copied) throw new Error('The browser did not copy the selection.');
}

/**
 * Copies a text for the button that asked for it; on plain http, where browsers offer no clipboard, by a selection.
 * @throws when the browser does not allow it, and what `text` throws
 */
export async function copyText(text: () => string | Promise<string>, button: HTMLElement): Promise<void> {
  if (!navigator.clipboard) return copySelection(await text(), button);
  // A text that comes later than the click has to be given as a promise: Safari has forgotten the click by then.
  const blob = async () => new Blob([await text()], { type: 'text/plain' });
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob() })]);
}
