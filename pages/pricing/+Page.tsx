import '../../client/styles/marketing.css';
import './pricing.css';
import type { PageProps } from '../../client/contract/pages.ts';
import { ClosingCall } from '../parts/ClosingCall.tsx';
import { Examples } from './Examples.tsx';
import { PlanCards } from './PlanCards.tsx';
import { PlanTable } from './PlanTable.tsx';
import { PriceList } from './PriceList.tsx';
import { Questions } from './Questions.tsx';

/** Plans and prices, built from pricing.yml. */
export default function PricingPage({ text, site, pricing }: PageProps<'pricing'>) {
  return (
    <>
      <header className="banner wrap">
        <h1>{text.banner.title}</h1>
        <p className="lede">{text.banner.lede}</p>
      </header>
      <PlanCards site={site} pricing={pricing} />
      <PlanTable text={text.plans} pricing={pricing} />
      <PriceList text={text.prices} pricing={pricing} />
      <Examples text={text.examples} pricing={pricing} />
      <Questions title={text.questions.title} questions={pricing.questions} site={site} />
      <ClosingCall site={site} />
    </>
  );
}
