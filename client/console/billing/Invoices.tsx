import { useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Invoice } from '../../contract/console/billing.ts';
import type { ListPage } from '../../contract/console/list-page.ts';
import type { SystemConfig } from '../../contract/console/orders.ts';
import { useCall } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Moment } from '../parts/Moment.tsx';
import { Pages } from '../parts/Pages.tsx';
import { Problem } from '../parts/Problem.tsx';
import { State, type Tone } from '../parts/State.tsx';
import { Table } from '../parts/Table.tsx';
import { usePaymentPage } from '../saas/use-payment-page.ts';

const pageSize = 20;
const columns = [
  { name: 'Number' },
  { name: 'Made' },
  { name: 'State' },
  { name: 'Total', figure: true },
  { name: 'Actions', hidden: true },
];
const states: Record<Invoice['status'], { label: string; tone: Tone }> = {
  OPEN: { label: 'To be paid', tone: 'waits' },
  PAID: { label: 'Paid', tone: 'good' },
  VOID: { label: 'Void', tone: 'over' },
};

/** The account's invoices, each as PDF. */
export default function Invoices() {
  const [page, setPage] = useState(1);
  const system = useCall<SystemConfig>(calls.getConfigValue);
  const invoices = useCall<ListPage<Invoice>>(calls.listInvoices, { page, pageSize });
  const byCard = system.data?.payMethods.includes('STRIPE');
  const payment = usePaymentPage();

  return (
    <Loaded query={invoices} lines={6}>
      {({ total, items }) =>
        total === 0 ? (
          <Empty title="No invoice yet">
            <p>Paid orders get one at once, usage gets one a month.</p>
          </Empty>
        ) : (
          <>
            <Table columns={columns}>
              <tbody>
                {items.map((invoice) => (
                  <tr key={invoice.id}>
                    <td className="figure-left">{invoice.number}</td>
                    <td>
                      <Moment at={invoice.createdAt} day />
                    </td>
                    <td>
                      <State tone={states[invoice.status].tone}>{states[invoice.status].label}</State>
                    </td>
                    <td className="figure">
                      <Amount of={invoice.total} />
                    </td>
                    <td>
                      <a href={invoice.pdfUrl} download>
                        PDF<span className="visually-hidden"> of {invoice.number}</span>
                      </a>{' '}
                      {invoice.status === 'OPEN' && byCard && (
                        <button
                          type="button"
                          className="button"
                          onClick={() => payment.mutate({ purpose: 'PAY_INVOICE', invoiceId: invoice.id })}
                        >
                          Pay by card
                        </button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </Table>
            {payment.error && <Problem sentence={payment.error.message} />}
            <Pages page={page} pageSize={pageSize} total={total} onPage={setPage} />
          </>
        )
      }
    </Loaded>
  );
}
