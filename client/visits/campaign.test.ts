import { expect, test } from 'vitest';
import { campaignValues, isCampaignPage, withoutQuery } from './campaign.ts';

const landing = (address: string, referrer = 'https://search.example/find?q=sync#top') => ({
  url: new URL(address, 'https://millrace.example'),
  referrer,
});

test('an ad click brings its id, the referrer without query and the landing address', () => {
  expect(Object.fromEntries(campaignValues(landing('/why?bd_vid=7&kw=cdc')))).toEqual({
    vbid_for_cc: '7',
    source_for_cc: 'https://search.example/find',
    url_for_cc: 'https://millrace.example/why?bd_vid=7&kw=cdc',
    kw_for_cc: 'cdc',
  });
});

test('state is kept on its own; nothing is kept without its parameter', () => {
  expect(Object.fromEntries(campaignValues(landing('/?state=a')))).toEqual({ state_for_cc: 'a' });
  expect(campaignValues(landing('/?bd_vid=')).size).toBe(0);
});

test("an identity provider's answer is not a campaign", () => {
  const pages = ['/loading?state=a', '/login?code=1&state=a', '/?error=denied', '/?state=a'];
  expect(pages.map((page) => isCampaignPage(new URL(page, 'https://millrace.example')))).toEqual([
    false,
    false,
    false,
    true,
  ]);
});

test('an address loses its query and fragment', () => {
  expect(['', 'https://a.example/b', 'https://a.example/b#c?d'].map(withoutQuery)).toEqual([
    '',
    'https://a.example/b',
    'https://a.example/b',
  ]);
});
