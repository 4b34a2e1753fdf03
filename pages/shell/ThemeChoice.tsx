const choices = [
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
  { id: 'system', label: 'System' },
];

/** The three buttons of the colour mode; client/bar/theme.ts marks the active one. */
export function ThemeButtons() {
  return choices.map(({ id, label }) => (
    <button key={id} type="button" data-theme-choice={id} aria-pressed="false">
      {label}
    </button>
  ));
}
