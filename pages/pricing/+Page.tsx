import '../../client/styles/marketing.css';
import './pricing.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { ClosingCall } from '../parts/ClosingCall.tsx';
import { Examples } from './Examples.tsx';
import { PlanCards } from './PlanCards.tsx';
import { PlanTable } from './PlanTable.tsx';
import { PriceList } from './PriceList.tsx';
import { Questions } from './Questions.tsx';

/** Plans and prices, made from pricing.yml. */
export default function PricingPage({ site, pricing }: PageProps<'pricing'>) {
  return (
    <>
      <header className="banner wrap">
        <h1>Pricing</h1>
        <p className="lede">
          The cloud service counts rows and bills afterwards. An installation in your own network has a licence for a
          number of links and a term, paid ahead.
        </p>
      </header>
      <PlanCards site={site} pricing={pricing} />
      <PlanTable pricing={pricing} />
      <PriceList pricing={pricing} />
      <Examples pricing={pricing} />
      <Questions questions={pricing.questions} site={site} />
      <ClosingCall site={site} />
    </>
  );
}
