import { useEffect, useRef, useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Bill, BillDetail, UsageItem } from '../../contract/console/billing.ts';
import type { Money } from '../../contract/console/orders.ts';
import { figure } from '../../contract/money.ts';
import { useCall } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Table } from '../parts/Table.tsx';

const itemNames: Record<UsageItem, string> = {
  FULL: 'Full load',
  INCREMENT: 'Change sync',
  CHECK: 'Verification',
  REVISE: 'Correction',
  BUILD_STRUCT: 'Schema migration',
};

const columns = [
  { name: 'Job' },
  { name: 'Work' },
  { name: 'Rows', figure: true },
  { name: 'Price', figure: true },
  { name: 'Amount', figure: true },
];

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
        <Table columns={columns}>
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
            <Sum name="Covered by credits" of={credits.credits} />
            <Sum name="To be paid" of={credits.due} />
          </tfoot>
        </Table>
      )}
    </Loaded>
  );
}

function Sum({ name, of }: { name: string; of: Money }) {
  return (
    <tr>
      <th scope="row" colSpan={columns.length - 1}>
        {name}
      </th>
      <td className="figure">
        <Amount of={of} />
      </td>
    </tr>
  );
}
