import type { Transfer } from '../../contract/console/orders.ts';
import { Amount } from '../parts/Amount.tsx';

/** Where the money goes, and what to write on the transfer. */
export function TransferNote({ transfer }: { transfer: Transfer }) {
  return (
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
    </dl>
  );
}
