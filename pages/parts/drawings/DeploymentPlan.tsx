import type { DeploymentKind } from '../../../client/contract/page-texts.ts';
import { Drawing } from './Drawing.tsx';

const labels: Record<DeploymentKind, string> = {
  managed: 'Console and worker are in the operator’s network; source and target are in yours.',
  byoc: 'The console is in the operator’s network; worker, source and target are in yours.',
  onPremise: 'Console, worker, source and target are all in your network.',
};

/** Upper edge of the customer's network. */
const edges: Record<DeploymentKind, number> = { managed: 136, byoc: 72, onPremise: 8 };

const parts = [
  { name: 'Console', x: 110, y: 22 },
  { name: 'Worker', x: 110, y: 86 },
  { name: 'Source', x: 24, y: 166 },
  { name: 'Target', x: 196, y: 166 },
];

/** Where console, worker, source and target run; everything below the dashed line is in the customer's network. */
export function DeploymentPlan({ kind }: { kind: DeploymentKind }) {
  const edge = edges[kind];
  return (
    <Drawing className="drawing-small" box={[0, 0, 320, 240]} label={labels[kind]}>
      <path className="wash bare" d={`M1 ${edge}H319V232a6 6 0 0 1-6 6H7a6 6 0 0 1-6-6z`} />
      <path className="run dash" d={`M1 ${edge}H319`} />
      <path d="M160 86V58m-5 6 5-6 5 6" />
      <path
        className="run"
        d="M74 166v-14a6 6 0 0 1 6-6h56a6 6 0 0 0 6-6V122M178 122v18a6 6 0 0 0 6 6h56a6 6 0 0 1 6 6v14m-5-6 5 6 5-6"
      />
      {parts.map(({ name, x, y }) => (
        <g key={name} transform={`translate(${x} ${y})`}>
          <rect className="paper" width={100} height={36} rx={6} />
          <text className="mid" x={50} y={23}>
            {name}
          </text>
        </g>
      ))}
      <text className="run" x={24} y={226}>
        Your network
      </text>
    </Drawing>
  );
}
