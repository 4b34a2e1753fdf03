import { Link } from 'wouter';
import { calls } from '../../contract/calls.ts';
import type { Bill } from '../../contract/console/billing.ts';
import type { ListPage } from '../../contract/console/list-page.ts';
import { useCall } from '../calls.ts';
import { Amount } from '../parts/Amount.tsx';
import { Day } from '../parts/Day.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Section } from '../parts/Section.tsx';

/** The newest bills. */
export function BillSummary() {
  const bills = useCall<ListPage<Bill>>(calls.listBilling, { page: 1, pageSize: 3 });
  return (
    <Section title="Latest bills">
      <Loaded query={bills}>
        {({ items }) =>
          items.length === 0 ? (
            <p className="console-lede">There are no bills yet: nothing has been moved.</p>
          ) : (
            <ul className="console-list">
              {items.map((bill) => (
                <li key={bill.id}>
                  <Link href="/console/billing">
                    <Day iso={bill.day} />
                  </Link>
                  <Amount of={bill.amount} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}
