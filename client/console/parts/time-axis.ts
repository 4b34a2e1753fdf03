const two = (part: number) => String(part).padStart(2, '0');

/** What stands at a tick of a time axis: the day, the time, or the time with its seconds. @param at, step in seconds */
export function tickLabel(at: number, step: number): string {
  const moment = new Date(at * 1000);
  if (step >= 86_400) return `${moment.getMonth() + 1}/${moment.getDate()}`;
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  return step >= 60 ? time : `${time}:${two(moment.getSeconds())}`;
}
