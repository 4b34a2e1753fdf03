import { Drawing, standardBox } from './Drawing.tsx';
import { differing, PairOfTables } from './PairOfTables.tsx';

/** Correction: only the listed row passes the gate and is written again. */
export function Correction() {
  const { y } = differing;
  return (
    <Drawing
      box={standardBox}
      label="A gate lets the one listed row pass from the source, and it is written to the target again."
    >
      <PairOfTables>
        <path className="wash" d={`M176 ${y - 12}H304M176 ${y + 12}H304`} />
        <path className="row run" d={`M190 ${y}h14m6 0h28m6 0h44`} />
        <path className="paper" d={`M234 ${y - 34}h12v50h-12z`} />
        <path className="wash bare" d={`M235 ${y - 11}h10v22h-10z`} />
        <path className="solid" d={`M237 ${y - 31}h6v20h-6zM240 ${y - 34}v-10M232 ${y - 44}h16`} />
        <path className="run wash" d={`M372 ${y - 6}h44v12h-44z`} />
      </PairOfTables>
    </Drawing>
  );
}
