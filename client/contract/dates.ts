/** Writes a moment as M/D/YYYY HH:mm:ss. */
export function dateTime(moment: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${moment.getMonth() + 1}/${moment.getDate()}/${moment.getFullYear()}`;
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
}
