import { duration, lateMs } from './words.ts';

const width = 120;
const height = 28;

/** The lag of the last hour, one point a minute, with a line at three seconds. */
export function Sparkline({ lags }: { lags: readonly (number | null)[] }) {
  const told = lags.filter((lag) => lag !== null);
  if (told.length === 0)
    return (
      <span className="figure job-none">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">No lag was measured in the last hour</span>
      </span>
    );
  const most = Math.max(lateMs * 1.25, ...told);
  // The square root keeps small lags distinct from zero while a large one still fits.
  const y = (lag: number) => height - 2 - Math.sqrt(lag / most) * (height - 4);
  const step = width / Math.max(1, lags.length - 1);
  const path = lags.reduce<string>((drawn, lag, minute) => {
    if (lag === null) return drawn;
    const place = `${(minute * step).toFixed(1)} ${y(lag).toFixed(1)}`;
    // A zero-length line is a dot: a minute between two without a value.
    return `${drawn}${minute === 0 || lags[minute - 1] === null ? `M${place}h0` : `L${place}`}`;
  }, '');
  const words = `Largest lag in the last hour: ${duration(Math.max(...told))}`;
  return (
    <svg className="job-spark" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={words}>
      <line className="job-spark-late" x1="0" x2={width} y1={y(lateMs)} y2={y(lateMs)} />
      <path d={path} />
    </svg>
  );
}
