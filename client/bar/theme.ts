import { onClick } from '../browser/element.ts';
import { local, onStoredElsewhere } from '../browser/storage.ts';

const html = document.documentElement;

/** Applies the stored choice: to <html>, the buttons, and the colour of the browser's own bar. */
function show(): void {
  const stored = local.get('theme');
  const choice = stored === 'light' || stored === 'dark' ? stored : 'system';
  if (choice === 'system') delete html.dataset.theme;
  else html.dataset.theme = choice;
  for (const button of document.querySelectorAll<HTMLElement>('[data-theme-choice]')) {
    button.ariaPressed = String(button.dataset.themeChoice === choice);
  }
  const [light, dark] = document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]');
  for (const [meta, name] of [[light, 'light'] as const, [dark, 'dark'] as const]) {
    if (meta)
      meta.media = choice === 'system' ? `(prefers-color-scheme: ${name})` : choice === name ? 'all' : 'not all';
  }
}

/** Light, dark or follow-system: stored, and the same in every tab. A change of the system's mode needs no script. */
export function startTheme(): void {
  show();
  onClick('[data-theme-choice]', ({ dataset }) => {
    local.set('theme', dataset.themeChoice ?? null);
    show();
  });
  onStoredElsewhere(show);
}
