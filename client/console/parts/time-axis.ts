import { twoDigits } from '../../contract/dates.ts';

/** The label at a tick of a time axis: the day, the time, or the time with seconds. @param at, step in seconds */
export function tickLabel(at: number, step: number): string {
  const moment = new Date(at * 1000);
  if (step >= 86_400) return `${moment.getMonth() + 1}/${moment.getDate()}`;
  const time = `${twoDigits(moment.getHours())}:${twoDigits(moment.getMinutes())}`;
  return step >= 60 ? time : `${time}:${twoDigits(moment.getSeconds())}`;
}
