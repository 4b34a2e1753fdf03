import { useEffect, useRef, useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Bill, BillDetail, UsageItem } from '../../contract/console/billing.ts';
import { figure } from '../../contract/money.ts';
import { useCall } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { Loaded } from '../parts/Loaded.tsx';

const itemNames: Record<UsageItem, string> = {
  FULL: 'Full load',
  INCREMENT: 'Change sync',
  CHECK: 'Verification',
  REVISE: 'Correction',
  BUILD_STRUCT: 'Schema migration',
};

/** The lines of a bill, asked for when it is opened. */
export function BillLines({ bill }: { bill: Bill }) {
  const place = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const details = place.current?.closest('details');
    const onToggle = () => setOpen(true);
    details?.addEventListener('toggle', onToggle, { once: true });
    return () => details?.removeEventListener('toggle', onToggle);
  }, []);
  return <div ref={place}>{open && <Lines id={bill.id} credits={bill} />}</div>;
}

function Lines({ id, credits }: { id: string; credits: Pick<Bill, 'credits' | 'due'> }) {
  const detail = useCall<BillDetail>(calls.getBillingDetail, { id });
  return (
    <Loaded query={detail}>
      {({ lines }) => (
        <div className="console-scroll">
          <table className="console-table">
            <thead>
              <tr>
                <th scope="col">Job</th>
                <th scope="col">Work</th>
                <th scope="col" className="figure">
                  Rows
                </th>
                <th scope="col" className="figure">
                  Price
                </th>
                <th scope="col" className="figure">
                  Amount
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={`${line.dataJobId} ${line.item}`}>
                  <td>{line.dataJobName}</td>
                  <td>{itemNames[line.item]}</td>
                  <td className="figure">{figure(line.rows)}</td>
                  <td className="figure">
                    <Amount of={line.unitPrice} /> for {figure(line.unitSize)}
                  </td>
                  <td className="figure">
                    <Amount of={line.amount} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={4}>
                  Covered by credits
                </th>
                <td className="figure">
                  <Amount of={credits.credits} />
                </td>
              </tr>
              <tr>
                <th scope="row" colSpan={4}>
                  To be paid
                </th>
                <td className="figure">
                  <Amount of={credits.due} />
                </td>
              </tr>
            </tfoot>
          </table>
        </div>
      )}
    </Loaded>
  );
}
