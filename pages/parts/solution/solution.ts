import type { IconName } from '../../../client/ui/Icon.tsx';
import type { Plan } from '../architecture/plan.ts';

/** The text of a solution page, in the order of its sections. */
export interface Solution {
  /** Name in the bar. */
  name: string;
  title: string;
  lede: string;
  strengthsTitle: string;
  strengths: { icon: IconName; title: string; text: string }[];
  architecture: { title: string; lede: string; plan: Plan };
  steps: { lede: string; items: { title: string; text: string; href: string; link: string }[] };
  cases: UseCase[];
  /** What the solution does not do. */
  limits: string[];
}

export interface UseCase {
  title: string;
  text: string;
  /** The job behind it, e.g. `MySQL → StarRocks`, with the work it does. */
  pair: string;
  work: string;
}
