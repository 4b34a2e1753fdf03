import type { ClosingText } from './page-texts.ts';
import type { Link } from './reading.ts';

export interface Brand {
  id: string;
  name: string;
  legalName: string;
  tagline: string;
  description: string;
  domain: string;
  supportEmail: string;
  salesEmail: string;
  privacyEmail: string;
  securityEmail: string;
  /** Payee and account for bank transfers; if missing, the seller sends them by mail. */
  payee?: string | undefined;
  account?: string | undefined;
  /** Name and rate (0 to 1) of the tax that prices include. */
  taxLabel?: string | undefined;
  taxRate?: number | undefined;
}

export interface BarGroup {
  id: 'product' | 'solutions' | 'resources' | 'pricing' | 'about';
  label: string;
  href?: string;
  items?: { label: string; href: string; description?: string }[];
}

export interface Navigation {
  bar: BarGroup[];
  footer: { title: string; links: Link[] }[];
}

export interface Announcement {
  id: string;
  text: string;
  href: string;
  linkLabel: string;
}

/** What the operator has set up: pages offer nothing else. */
export interface Capabilities {
  /** Cards are accepted, besides bank transfers. */
  card: boolean;
  /** Display name of the OpenID Connect single sign-on provider. */
  oidcName: string;
}

/** What every page receives. */
export interface Site {
  brand: Brand;
  /** Address of the brand's icon, or the icon itself as a data: address. */
  icon: string;
  navigation: Navigation;
  announcement?: Announcement;
  /** Last block of the product pages. */
  closing: ClosingText;
  /** Absolute address without a trailing slash, used for canonical links. */
  publicUrl: string;
  /** Root of the cloud app, without a trailing slash. */
  cloudAppUrl: string;
  deploySite: string;
  capabilities: Capabilities;
  /** True when passwords are also accepted unencrypted, for browsers without WebCrypto. */
  plainPassword: boolean;
  /** True when the operator's own tag reads `window.dataLayer`. */
  dataLayer: boolean;
  /** Changes with the built files; a page from another build is loaded in full. */
  build: string;
}
