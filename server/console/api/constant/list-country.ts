import { calls } from '../../../../client/contract/calls.ts';
import { countryCodes } from '../../../../client/contract/countries.ts';
import { noBody, publicCall } from '../define-call.ts';

async function readCountries() {
  // Loaded on the first call: a start does not need these tables.
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const { getCountryCallingCode, isSupportedCountry } = await import('libphonenumber-js/min');
  return countryCodes
    .map((code) => ({
      code,
      name: names.of(code) ?? code,
      phoneCode: isSupportedCountry(code) ? `+${getCountryCallingCode(code)}` : '',
    }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

let countries: ReturnType<typeof readCountries> | undefined;

/** Every country that a sign-up may name, sorted by name, with its calling code. */
export const listCountry = publicCall(calls.listCountry, noBody, () => {
  countries ??= readCountries();
  return countries;
});
