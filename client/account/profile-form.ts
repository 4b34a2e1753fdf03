import { startAccountForm } from './form/start-account-form.ts';
import { keepProfile, type NeededProfile } from './needed-profile.ts';

/** Shows the form for an address that is proved with a code. */
export function askForProfile(profile: NeededProfile): void {
  keepProfile(profile);
  const waiting = document.querySelector('.waiting');
  const template = waiting?.querySelector<HTMLTemplateElement>('template[data-profile]');
  if (!waiting || !template) return;
  waiting.replaceChildren(template.content.cloneNode(true));
  for (const [field, value] of Object.entries(profile)) {
    const input = waiting.querySelector<HTMLInputElement>(`input[name=${field}]`);
    if (input) input.value = value;
  }
  startAccountForm();
  waiting.querySelector<HTMLInputElement>('.input')?.focus();
}
