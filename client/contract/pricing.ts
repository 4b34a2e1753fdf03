import type { Link } from './reading.ts';

export interface Pricing {
  currency: string;
  linkHourCents: number;
  newAccountCredits: number;
  /** `planned`: the release that brings what has a price already. */
  cloud: { id: string; label: string; planned?: string | undefined; unit: string; unitSize: number; cents: number }[];
  ladder: { minLinks: number; rate: number }[];
  periods: { num: number; unit: 'DAY' | 'MONTH' | 'YEAR' }[];
  plans: {
    id: 'community' | 'cloud' | 'trial' | 'enterprise';
    name: string;
    price: string;
    summary: string;
    features: string[];
    /** `href: cloud-app` stands for the cloud app's root. */
    cta: Link;
  }[];
  table: { feature: string; values: Record<'community' | 'cloud' | 'trial' | 'enterprise', string> }[];
  /** `when`: an answer for sites where cards are taken, or where only transfers are. */
  questions: { q: string; a: string; when?: 'card' | 'transfer' | undefined }[];
}
