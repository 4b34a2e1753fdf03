import { calls } from '../../contract/calls.ts';
import type { Bill, BillDetail, BillLine, UsageItem } from '../../contract/console/billing.ts';
import { figure } from '../../contract/money.ts';
import { useCall } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Table } from '../parts/Table.tsx';
import type { TableColumn } from '../parts/table-column.ts';

const itemNames: Record<UsageItem, string> = {
  FULL: 'Full load',
  INCREMENT: 'Change sync',
  CHECK: 'Verification',
  REVISE: 'Correction',
  BUILD_STRUCT: 'Schema migration',
};

/** The unit that is counted, as the price list names it. */
const unitOf = (item: UsageItem) => (item === 'BUILD_STRUCT' ? 'tables' : 'rows');

const columns: TableColumn<BillLine>[] = [
  { name: 'Job', cell: ({ dataJobName }) => dataJobName },
  { name: 'Work', cell: ({ item }) => itemNames[item] },
  { name: 'Moved', figure: true, cell: ({ item, rows }) => `${figure(rows)} ${unitOf(item)}` },
  {
    name: 'Price',
    figure: true,
    cell: ({ item, unitPrice, unitSize }) => (
      <span className="bill-price">
        <Amount of={unitPrice} /> for {figure(unitSize)} {unitOf(item)}
      </span>
    ),
  },
  { name: 'Amount', figure: true, cell: ({ amount }) => <Amount of={amount} /> },
];

/** What becomes of the part of a bill that credits do not cover. */
const dueLabels: Record<Bill['status'], string> = {
  COVERED: 'To be paid with the month’s invoice',
  OPEN: 'To be paid with the month’s invoice',
  PAID: 'Paid with the invoice',
  VOID: 'Not to be paid: the invoice is void',
};

/** The lines of a bill, and how much of it is due. */
export default function BillLines({ bill: { id, day, amount, credits, due, status } }: { bill: Bill }) {
  const notCharged = amount.amount - credits.amount - due.amount;
  const detail = useCall<BillDetail>(calls.getBillingDetail, { id });
  return (
    <Loaded query={detail}>
      {({ lines }) => (
        <>
          <Table
            label={`Bill for ${day}`}
            columns={columns}
            rows={lines}
            rowId={({ dataJobId, item, unitPrice, unitSize }) => `${dataJobId} ${item} ${unitPrice.amount} ${unitSize}`}
          />
          <dl className="console-sums">
            <dt>Covered by credits</dt>
            <dd>
              <Amount of={credits} />
            </dd>
            <dt>{dueLabels[status]}</dt>
            <dd>
              <Amount of={due} />
            </dd>
            {notCharged > 0 && (
              <>
                <dt>Not charged: moved on days without a subscription</dt>
                <dd>
                  <Amount of={{ ...amount, amount: notCharged }} />
                </dd>
              </>
            )}
          </dl>
        </>
      )}
    </Loaded>
  );
}
