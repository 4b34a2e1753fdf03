import { local, session } from '../browser/storage.ts';

/** What is known about a visit. */
export interface Landing {
  url: URL;
  referrer: string;
}

/** Query parameters of an identity provider's answer: such an address is not a campaign's. */
const signInAnswer = ['code', 'error'];

/** Where a visit comes from, by storage key; sign-ups and page views send it. */
export function campaignValues({ url, referrer }: Landing): Map<string, string> {
  const query = url.searchParams;
  const values = new Map<string, string>();
  const keep = (key: string, value: string | null) => {
    if (value) values.set(key, value);
  };
  if (query.get('bd_vid')) {
    keep('vbid_for_cc', query.get('bd_vid'));
    keep('source_for_cc', withoutQuery(referrer));
    keep('url_for_cc', url.href);
  }
  keep('state_for_cc', query.get('state'));
  keep('kw_for_cc', query.get('kw'));
  return values;
}

/** False when the address belongs to single sign-on, whose `state` must not be stored. */
export function isCampaignPage(url: URL): boolean {
  return url.pathname !== '/loading' && !signInAnswer.some((name) => url.searchParams.has(name));
}

/** An address up to its query or fragment. */
export function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}

/** Stores this session's referrer and, once per browser, the campaign's values. */
export function captureCampaign(): void {
  const landing: Landing = { url: new URL(location.href), referrer: document.referrer };
  if (session.get('source_for_cc') === null) session.set('source_for_cc', withoutQuery(landing.referrer));
  if (local.get('cc_info_collected') !== null || !isCampaignPage(landing.url)) return;
  for (const [key, value] of campaignValues(landing)) {
    if (local.get(key) === null) local.set(key, value);
  }
  local.set('cc_info_collected', '1');
}
