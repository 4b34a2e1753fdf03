import { Drawing, standardBox } from './Drawing.tsx';

const delay =
  'M16 184l28-4 26 6 30-10 26 8 30-14 28 10 26 4 24-12 26 8 22-40 18-66 18-2 20 60 22 36 24 6 28-8 26 10 26-6';

/** Monitoring: the replication lag of a job over time, with an alarm when it passes the limit. */
export function Monitoring() {
  return (
    <Drawing
      box={standardBox}
      label="A chart of a job's replication lag over time. One peak passes the limit and raises an alarm, then the lag falls again."
    >
      <text x={16} y={30}>
        Lag
      </text>
      <text className="live end" x={464} y={30}>
        alarm
      </text>
      <path className="thin" d="M16 86H464M16 126H464M16 166H464M136 46V206M256 46V206M376 46V206" />
      <path d="M16 46V206H464" />
      <path className="live dash" d="M16 106H464" />
      <text className="mono muted" x={24} y={98}>
        limit
      </text>
      <path className="wash bare" d={`${delay}V206H16z`} />
      <path className="run" d={delay} />
      <path className="live" d="M318 73V36H420" />
      <circle className="live wash-live" cx={318} cy={73} r={5} />
      <text className="mono muted" x={16} y={238}>
        INCRE
      </text>
      <circle className="run wash" cx={108} cy={233.5} r={4} />
      <text className="mono" x={120} y={238}>
        RUNNING
      </text>
      <text className="mono muted end" x={464} y={238}>
        1 h
      </text>
    </Drawing>
  );
}
