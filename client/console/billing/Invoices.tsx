import { Fragment, useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Invoice } from '../../contract/console/billing.ts';
import type { ListPage } from '../../contract/console/list-page.ts';
import type { SystemConfig } from '../../contract/console/orders.ts';
import { dayOf } from '../../contract/dates.ts';
import { money } from '../../contract/money.ts';
import { LongDate } from '../../ui/LongDate.tsx';
import { useCall } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Failed } from '../parts/Failed.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Notice } from '../parts/Notice.tsx';
import { Pages } from '../parts/Pages.tsx';
import { State, type Tone } from '../parts/State.tsx';
import { Table } from '../parts/Table.tsx';
import type { TableColumn } from '../parts/table-column.ts';
import { BackFromPayment } from '../saas/BackFromPayment.tsx';
import { usePaymentPage } from '../saas/use-payment-page.ts';

const pageSize = 20;
const states: Record<Invoice['status'], { label: string; tone: Tone }> = {
  OPEN: { label: 'To be paid', tone: 'waits' },
  PAID: { label: 'Paid', tone: 'good' },
  VOID: { label: 'Void', tone: 'over' },
};

/** The account's invoices, each with a PDF. */
export default function Invoices() {
  const [page, setPage] = useState(1);
  const system = useCall<SystemConfig>(calls.getConfigValue);
  const invoices = useCall<ListPage<Invoice>>(calls.listInvoices, { page, pageSize });
  const byCard = system.data?.payMethods.includes('STRIPE');
  const payment = usePaymentPage();
  const columns: TableColumn<Invoice>[] = [
    { name: 'Number', cell: ({ number }) => <span className="figure">{number}</span> },
    // The PDF names a day in UTC, wherever it is read.
    { name: 'Date', cell: ({ createdAt }) => <LongDate iso={dayOf(createdAt)} /> },
    { name: 'State', cell: (invoice) => <InvoiceState invoice={invoice} /> },
    { name: 'Total', figure: true, cell: ({ total }) => <Amount of={total} /> },
    {
      name: 'PDF',
      hidden: true,
      cell: ({ number, pdfUrl, creditNotes = [] }) => (
        <>
          <a href={pdfUrl} download>
            PDF<span className="visually-hidden"> of {number}</span>
          </a>
          {creditNotes.map((note) => (
            <Fragment key={note.number}>
              <br />
              <a href={note.pdfUrl} download>
                Credit note <span className="figure">{note.number}</span>
              </a>
            </Fragment>
          ))}
        </>
      ),
    },
    ...(byCard
      ? [
          {
            name: 'Payment',
            hidden: true,
            cell: ({ id, number, status }: Invoice) =>
              status === 'OPEN' && (
                <BusyButton
                  busy={payment.isPending}
                  onPress={() => payment.mutate({ purpose: 'PAY_INVOICE', invoiceId: id })}
                >
                  Pay by card<span className="visually-hidden"> {number}</span>
                </BusyButton>
              ),
          },
        ]
      : []),
  ];

  return (
    <Loaded query={invoices} lines={6}>
      {({ total, items }) =>
        total === 0 ? (
          <Empty title="No invoices yet">
            <p>A paid order gets an invoice at once; usage gets one a month.</p>
          </Empty>
        ) : (
          <>
            <BackFromPayment call={calls.listInvoices} />
            {!byCard && items.some(({ status }) => status === 'OPEN') && (
              <Notice>
                Pay an open invoice by bank transfer within 14 days: payee, account and reference are in its PDF.
              </Notice>
            )}
            <Table label="Invoices" columns={columns} rows={items} rowId={({ id }) => id} />
            {payment.error && <Failed sentence={payment.error.message} />}
            <Pages page={page} pageSize={pageSize} total={total} onPage={setPage} />
          </>
        )
      }
    </Loaded>
  );
}

/** Its state; once something is refunded, how much. The credit note of a void invoice returns nothing. */
function InvoiceState({ invoice: { status, total, creditNotes = [] } }: { invoice: Invoice }) {
  const { label, tone } = states[status];
  if (creditNotes.length === 0 || status === 'VOID') return <State tone={tone}>{label}</State>;
  const refunded = creditNotes.reduce((sum, { amount }) => sum + amount.amount, 0);
  if (refunded === total.amount) return <State tone="over">Refunded</State>;
  return <State tone={tone}>{`${label}, ${money(refunded, total.currency)} refunded`}</State>;
}
