import type { PageProps } from '../../client/contract/pages.ts';
import { FormPage } from '../parts/forms/FormPage.tsx';
import { SidePanel } from '../parts/forms/SidePanel.tsx';
import { SignUpFields } from '../parts/forms/SignUpFields.tsx';

/** Sign up after a purchase in a cloud marketplace. */
export default function RegisterFromMarketPage({ site }: PageProps<'registerFromMarket'>) {
  return (
    <FormPage
      site={site}
      title="Finish your marketplace purchase"
      lede="Your purchase is waiting for an account. Create it here, and the two are joined."
      panel={
        <SidePanel
          title="How the purchase ends"
          points={[
            { term: 'Marketplace', text: 'You have subscribed there, and its page has sent you here with a token.' },
            { term: 'Account', text: 'The form creates it. The token is checked with the marketplace and used once.' },
            { term: 'Payment', text: 'The marketplace bills you under the terms you accepted there.' },
            {
              term: 'No token?',
              text: 'Open the product in your marketplace console again and choose to set up the account.',
            },
          ]}
        />
      }
    >
      <SignUpFields site={site} />
    </FormPage>
  );
}
