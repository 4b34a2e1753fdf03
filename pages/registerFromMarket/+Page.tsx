import type { PageProps } from '../../client/contract/pages.ts';
import { FormPage } from '../parts/forms/FormPage.tsx';
import { SidePanel } from '../parts/forms/SidePanel.tsx';
import { SignUpFields } from '../parts/forms/SignUpFields.tsx';

/** Sign up after a purchase on a cloud marketplace. */
export default function RegisterFromMarketPage({ site, panel }: PageProps<'registerFromMarket'>) {
  return (
    <FormPage
      site={site}
      form="registerFromMarket"
      submit="Sign up"
      title="Finish your marketplace purchase"
      lede={panel.lede}
      panel={<SidePanel text={panel} />}
    >
      <SignUpFields site={site} />
    </FormPage>
  );
}
