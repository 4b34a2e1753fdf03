import { dayMs } from '../../../client/contract/dates.ts';
import type { SiteConfig } from '../../config/site.ts';
import type { GeneratedFile } from '../services.ts';

/** Where finders of a weakness look up whom to contact (RFC 9116). */
const path = '/.well-known/security.txt';
/** The standard requires less than a year; an abandoned site's data should expire. */
const goodForDays = 180;

type Contacts = Pick<SiteConfig, 'publicUrl' | 'securityContact' | 'securityEncryption' | 'securityPolicy'>;

/** The file security.txt; without a contact there is no file, since an example address reaches no one. */
export function findSecurityTxt(wanted: string, config: Contacts): GeneratedFile | undefined {
  if (wanted !== path || config.securityContact.length === 0) return undefined;
  return { route: path, type: 'text/plain; charset=utf-8', body: () => securityTxt(config, Date.now()) };
}

function securityTxt(config: Contacts, now: number): string {
  const { publicUrl, securityContact, securityEncryption, securityPolicy } = config;
  const today = now - (now % dayMs);
  const fields: [name: string, value: string | undefined][] = [
    ...securityContact.map((contact): [string, string] => ['Contact', contact]),
    ['Expires', new Date(today + goodForDays * dayMs).toISOString()],
    ['Encryption', securityEncryption],
    ['Policy', securityPolicy],
    ['Preferred-Languages', 'en'],
    ['Canonical', publicUrl.startsWith('https:') ? publicUrl + path : undefined],
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`])).join('');
}
