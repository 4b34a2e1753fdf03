import { Drawing } from '../parts/drawings/Drawing.tsx';
import { Comparator, Gate, Lane } from './FlowLane.tsx';
import { rowsOf, Tank } from './FlowTank.tsx';

const label =
  'A job from a source to a target. Existing rows pass through the initial load, and changes follow in order. ' +
  'Verification, which compares both sides by key, and correction, which rewrites a differing row, are planned.';

/** The home page's live drawing: four channels between two tanks, moved by CSS alone (index.css). */
export function Flow() {
  return (
    <Drawing className="flow" box={[7, 10, 586, 480]} label={label}>
      <path className="thin axis" d="M300 52V488" />
      <Lane y={122} half={22} name="Initial load" reading="in chunks">
        <path className="row run flow-full flow-full-1" d="M112 109H488" />
        <path className="row run flow-full flow-full-2" d="M112 122H488" />
        <path className="row run flow-full flow-full-3" d="M112 135H488" />
      </Lane>
      <Gate y={122} half={22} />
      <Lane y={230} half={13} name="Incremental" reading="lag < 3 s">
        <path className="row live flow-live" d="M112 230H488" />
      </Lane>
      <Gate y={230} half={13} />
      <Comparator y={324} />
      <Lane y={424} half={13} name="Correction" reading="1 row">
        <path className="row run flow-again" d="M180 424h76" />
      </Lane>
      <Gate y={424} half={13} plate="flow-plate" />
      <Tank x={8} name="Source" />
      <path className="row run" d={rowsOf(8)} />
      <Tank x={488} name="Target" mirrored />
      <path className="row run" d={rowsOf(488, 424)} />
      <path className="live flow-gap" d="M502 420h76v8h-76z" />
      <path className="row run flow-mended" d="M502 424h16m8 0h52" />
    </Drawing>
  );
}
