import { useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { calls } from '../../contract/calls.ts';
import type { BuyTimeStandard, Edition, OldResource, Price } from '../../contract/console/orders.ts';
import { counted } from '../../contract/counted.ts';
import { withLatinDigits } from '../../contract/digits.ts';
import { periodName } from '../../contract/price-rules.ts';
import { ask, useCall } from '../calls.ts';
import { editionNames } from '../orders/edition-names.ts';
import { ConsoleForm } from '../parts/ConsoleForm.tsx';
import { FormField } from '../parts/FormField.tsx';
import { FormSelect } from '../parts/FormSelect.tsx';
import { Moment } from '../parts/Moment.tsx';
import { isWholeApplyCode } from './apply-code.ts';

/** Names its draft, which is kept until a licence is ordered: a price is only a question. */
export const licenceForm = 'licence';
const productType = 'REPLICATION';

interface Wanted {
  applyCode: string;
  edition: Edition;
  links: string;
  /** `3 MONTH`. */
  period: string;
}

/** The number that was typed, in digits of any keyboard; NaN if it is none. */
function linkCount(typed: string): number {
  const digits = withLatinDigits(typed.trim());
  return /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
}

/** The links and periods for which the chosen edition is sold. */
function Terms() {
  const edition = useWatch<Wanted, 'edition'>({ name: 'edition' });
  const { data } = useCall<BuyTimeStandard>(calls.getBuyTimeStandard, { productType, edition });
  const fixed = data && data.minLinks === data.maxLinks;
  const [least, most] = [data?.minLinks ?? 1, data?.maxLinks ?? 1000];
  return (
    <>
      {fixed ? (
        <p className="field-hint">{counted(data.maxLinks, 'link')}.</p>
      ) : (
        // A field of the type number would refuse the digits of some keyboards.
        <FormField
          name="links"
          label="Links"
          inputMode="numeric"
          autoComplete="off"
          rules={{
            validate: {
              whole: (links) => Number.isInteger(linkCount(links)) || 'Links must be a whole number',
              least: (links) => linkCount(links) >= least || `Links cannot be less than ${least}`,
              most: (links) => linkCount(links) <= most || `Links cannot be greater than ${most}`,
            },
          }}
        />
      )}
      <FormSelect
        name="period"
        label="Period"
        options={(data?.periods ?? []).map((period) => ({
          value: `${period.num} ${period.unit}`,
          label: periodName(period),
        }))}
      />
    </>
  );
}

/** The current licence of the installation that the apply code names. */
function Present() {
  const applyCode = useWatch<Wanted, 'applyCode'>({ name: 'applyCode' });
  const known = isWholeApplyCode(applyCode);
  const { data } = useCall<OldResource | null>(calls.queryOldResource, { applyCode }, { enabled: known });
  if (!known || !data) return null;
  return (
    <p className="field-hint" role="status">
      This installation has {editionNames[data.edition]} with {counted(data.links, 'link')} until{' '}
      <Moment at={data.to} day />. Its remaining value is deducted from the price.
    </p>
  );
}

/** Asks for the price of a licence. */
export function QuoteForm({ editions, onPrice }: { editions: Edition[]; onPrice: (price: Price | undefined) => void }) {
  const [first = 'ENTERPRISE'] = editions;
  const changes = useRef(0);
  return (
    <ConsoleForm<Wanted>
      name={licenceForm}
      initial={{ applyCode: '', edition: first, links: '5', period: '3 MONTH' }}
      submit="Show the price"
      keeps
      // A price holds only for the values it was asked for: a change needs a new price.
      onChange={() => {
        changes.current++;
        onPrice(undefined);
      }}
      onSend={async ({ applyCode, edition, links, period }) => {
        const before = changes.current;
        const terms = await ask<BuyTimeStandard>(calls.getBuyTimeStandard, { productType, edition });
        const chosen = terms.periods.find(({ num, unit }) => `${num} ${unit}` === period) ?? terms.periods[0];
        const count = terms.minLinks === terms.maxLinks ? terms.maxLinks : linkCount(links);
        const wanted = { applyCode, productType, edition, links: count, period: chosen };
        const price = await ask<Price>(calls.calculatePrice, wanted);
        if (changes.current !== before) return undefined;
        onPrice(price);
        return 'The price is below. It is valid for half an hour.';
      }}
    >
      <FormField
        name="applyCode"
        label="Apply code"
        hint="Starts with MRA1."
        autoComplete="off"
        spellCheck={false}
        rules={{
          validate: {
            blank: (code) => code.trim() !== '' || 'Apply code cannot be blank',
            whole: (code) => isWholeApplyCode(code) || 'Apply code does not match the expected pattern',
          },
        }}
      />
      <Present />
      <FormSelect
        name="edition"
        label="Edition"
        options={editions.map((edition) => ({ value: edition, label: editionNames[edition] }))}
      />
      <Terms />
    </ConsoleForm>
  );
}
