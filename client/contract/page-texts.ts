import type { Link } from './reading.ts';

/** A section's head: its title, one paragraph, one link. */
export interface SectionText {
  title: string;
  lede?: string;
  link?: Link;
}

export interface TitledText {
  title: string;
  text: string;
}

/** A page's first block. */
interface BannerText {
  title: string;
  lede: string;
}

type SectionOf<Item> = SectionText & { items: Item[] };

export type StrengthMarkName = 'delay' | 'position' | 'proof' | 'breadth' | 'change' | 'place';
export type JobFunctionId =
  | 'full'
  | 'incremental'
  | 'schema'
  | 'processing'
  | 'verification'
  | 'correction'
  | 'two-way'
  | 'monitoring';
export type DeploymentKind = 'managed' | 'byoc' | 'onPremise';

/** One job function, with its drawing's id. */
export interface JobFunction {
  id: JobFunctionId;
  name: string;
  text: string;
  ticks: string[];
  link: Link;
}

/** One way to run the product; facts are compared line by line. */
export interface Deployment {
  kind: DeploymentKind;
  name: string;
  text: string;
  facts: Record<string, string>;
  link: Link;
}

export interface HomeText {
  /** `words` alternate after the claim. */
  hero: { claim: string; words: string[]; lede: string; link: Link; caption: string };
  strengths: SectionOf<TitledText & { mark: StrengthMarkName; condition: string }>;
  functions: SectionOf<JobFunction>;
  /** With the numbers from the catalogue's `countsOf`. */
  connectors: SectionText;
  solutions: SectionOf<TitledText & { drawing: 'analytics' | 'retrieval'; link: Link }>;
  deployments: SectionOf<Deployment>;
  posts: SectionText;
}

export interface WhyText {
  banner: BannerText;
  comparison: SectionText & {
    approaches: { batch: string; ownStack: string };
    properties: { name: string; batch: string; ownStack: string; product: string }[];
  };
  scenarios: SectionOf<{ title: string; situation: string; job: string; decide: string; href: string }>;
  staleness: SectionText & {
    /** With {rows} and {value}, the example's figures. */
    explanation: string[];
    example: { rowsPerHour: number; usdPerRow: number; ways: { name: string; minutes: number; why: string }[] };
  };
}

/** A solution page's text, in section order. */
export interface SolutionText {
  banner: BannerText & { name: string; link: Link };
  strengths: SectionOf<TitledText & { icon: SolutionIcon }>;
  /** The captions explain the numbers in the picture, from 1. */
  architecture: SectionText & { captions: TitledText[] };
  steps: SectionOf<TitledText & { link: Link }>;
  /** Catalogue ids. */
  cases: SectionOf<TitledText & { source: string; target: string }>;
  /** What the solution does not do. */
  limits: SectionOf<string>;
  /** Posts with a tag, and documents. */
  related: SectionText & { tag: string; documents: { href: string }[] };
}

export type SolutionIcon = 'bolt' | 'table' | 'code' | 'check' | 'layers' | 'loop' | 'search' | 'shield';

export interface AboutText {
  banner: BannerText & { eyebrow: string };
  work: SectionOf<TitledText>;
  principles: SectionOf<TitledText>;
  releases: SectionText;
  contact: SectionOf<TitledText & { email: string }>;
}

export interface PricingText {
  banner: BannerText;
  plans: SectionText;
  /** With {currency}. */
  prices: SectionText & {
    /** With {credits} and {worth}. */
    cloud: TitledText;
    /** With {hour}, {hours}, {month} and {year}. */
    licence: TitledText;
  };
  examples: SectionText & {
    /** Replaces the lede when the price list has change sync; with {millions}. */
    comparison: string;
    /** Amounts by the price list's ids; the note has {left}. */
    cloud: { title: string; amounts: Record<string, number>; note: string };
    /** The note has {links}, {price}, {fewer} and {fewerPrice}. */
    licence: { title: string; note: string };
    calculator: string;
  };
  questions: { title: string };
}

export interface ConnectorText {
  /** With the numbers from the catalogue's `countsOf`. */
  banner: BannerText;
  noneFound: TitledText;
  closing: ClosingText;
}

/** The last block of a public page. */
export interface ClosingText {
  title: string;
  lede: string;
  link: Link;
}

/** Heading and short list beside a form. */
export interface PanelText {
  title: string;
  points: { term: string; text: string; link?: Link }[];
}

export interface AccountText {
  /** Beside sign-in and sign-up. */
  account: PanelText;
  market: PanelText & { lede: string };
  reset: PanelText;
}

/** The pages' texts besides documents, posts, prices and the catalogue; keys are the file names. */
export interface PageTexts {
  index: HomeText;
  why: WhyText;
  connector: ConnectorText;
  solution1: SolutionText;
  solution2: SolutionText;
  pricing: PricingText;
  about: AboutText;
  account: AccountText;
  closing: ClosingText;
}
