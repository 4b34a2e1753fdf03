import { date, dateTime } from '../../contract/dates.ts';

/** A moment as M/D/YYYY HH:mm:ss, or its day alone. @param at epoch milliseconds */
export function Moment({ at, day = false }: { at: number; day?: boolean }) {
  const moment = new Date(at);
  return <time dateTime={moment.toISOString()}>{day ? date(moment) : dateTime(moment)}</time>;
}
