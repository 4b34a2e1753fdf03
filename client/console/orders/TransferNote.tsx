import type { Transfer } from '../../contract/console/orders.ts';
import { Amount } from '../parts/Amount.tsx';
import { Moment } from '../parts/Moment.tsx';

/** Where to send the money, and what to write on the transfer. */
export function TransferNote({ transfer }: { transfer: Transfer }) {
  return (
    <>
      <p>
        Transfer the amount with this reference. Once the seller has confirmed it, the licence is issued and you are
        told by mail.
      </p>
      <dl className="console-facts">
        <dt>Amount</dt>
        <dd>
          <Amount of={transfer.amount} />
        </dd>
        <dt>Reference</dt>
        <dd>
          <code>{transfer.reference}</code>
        </dd>
        {transfer.payee && (
          <>
            <dt>Payee</dt>
            <dd>{transfer.payee}</dd>
          </>
        )}
        {transfer.account ? (
          <>
            <dt>Account</dt>
            <dd>
              <code>{transfer.account}</code>
            </dd>
          </>
        ) : (
          <>
            <dt>Account</dt>
            <dd>The seller sends it by mail.</dd>
          </>
        )}
        <dt>Until</dt>
        <dd>
          <Moment at={transfer.until} />, then the order closes automatically.
        </dd>
      </dl>
    </>
  );
}
