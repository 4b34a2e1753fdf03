/** The colour of a token in the current theme, for drawing on a canvas: forced colours would make all alike. */
export function tokenColour(name: string): string {
  const probe = document.createElement('span');
  probe.style.forcedColorAdjust = 'none';
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
