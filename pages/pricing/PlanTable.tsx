import type { PricingText } from '../../client/contract/page-texts.ts';
import type { Pricing } from '../../client/contract/pricing.ts';
import { Icon } from '../../client/ui/Icon.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';
import { Sheet } from '../parts/Sheet.tsx';

function Value({ text }: { text: string }) {
  if (text !== 'Yes' && text !== '–') return <>{text}</>;
  return (
    <>
      {text === 'Yes' ? <Icon name="check" /> : <Icon name="dash" className="icon-dash" />}
      <span className="visually-hidden">{text === 'Yes' ? 'Yes' : 'Does not apply'}</span>
    </>
  );
}

/** All plans, line by line. */
export function PlanTable({ text, pricing }: { text: PricingText['plans']; pricing: Pricing }) {
  const { plans, table } = pricing;
  return (
    <section className="section wrap" aria-labelledby="plan-table">
      <SectionHead id="plan-table" text={text} />
      <Sheet label="Table of all plans">
        <table className="plan-table">
          <thead>
            <tr>
              <td />
              {plans.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.map(({ feature, values }) => (
              <tr key={feature}>
                <th scope="row">{feature}</th>
                {plans.map(({ id }) => (
                  <td key={id}>
                    <Value text={values[id]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Sheet>
    </section>
  );
}
