import { date, dateTime } from '../../contract/dates.ts';
import { zoneOf } from './zone.ts';

/** A moment as M/D/YYYY HH:mm:ss, or its day alone, in the browser's time zone, which its title names. @param at epoch milliseconds */
export function Moment({ at, day = false }: { at: number; day?: boolean }) {
  const moment = new Date(at);
  return (
    <time dateTime={moment.toISOString()} title={zoneOf(moment)}>
      {day ? date(moment) : dateTime(moment)}
    </time>
  );
}
