import { getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min';
import { calls } from '../../../../client/contract/calls.ts';
import { countryCodes } from '../../../../client/contract/countries.ts';
import { noBody, publicCall } from '../define-call.ts';

const names = new Intl.DisplayNames('en', { type: 'region' });

const countries = countryCodes
  .map((code) => ({
    code,
    name: names.of(code) ?? code,
    phoneCode: isSupportedCountry(code) ? `+${getCountryCallingCode(code)}` : '',
  }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** Every country a sign-up may name, by name, with its calling code. */
export const listCountry = publicCall(calls.listCountry, noBody, async () => countries);
