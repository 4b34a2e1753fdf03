import { element } from './element.ts';

/**
 * As the visitor's own keys would do it: selects a field beside the button, since an open dialog blocks selections
 * outside it.
 */
function copySelection(text: string, button: HTMLElement): void {
  const field = element('textarea', { class: 'visually-hidden', readonly: true, tabindex: '-1' }, text);
  // Otherwise the class's line rules would remove the indentation.
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
 * Copies a text for the button that requested it; on plain http, where browsers offer no clipboard, and in Firefox
 * before 127 through a selection.
 * @throws when the browser does not allow it, and what `text` throws
 */
export async function copyText(text: () => string | Promise<string>, button: HTMLElement): Promise<void> {
  if (!navigator.clipboard?.write) return copySelection(await text(), button);
  // A text that arrives after the click must be passed as a promise: Safari has forgotten the click by then.
  const blob = async () => new Blob([await text()], { type: 'text/plain' });
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob() })]);
}
