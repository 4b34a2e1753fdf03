/** Colour of a token, as the theme in force gives it; for what is drawn on a canvas. */
export function tokenColour(name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
