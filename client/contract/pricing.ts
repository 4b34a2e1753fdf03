import type { Link } from './reading.ts';

export interface Pricing {
  currency: string;
  linkHourCents: number;
  newAccountCredits: number;
  /** `planned`: the release that adds an item that already has a price. */
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
  /** `when`: an answer for sites that accept cards, or that accept only transfers. */
  questions: { q: string; a: string; when?: 'card' | 'transfer' | undefined }[];
}
