import type { Card } from '../../../engine/systems/system.ts';
import { JobError } from '../../errors.ts';
import type { JobServices } from '../../services.ts';

/** The card of a system. @param type its name or its family, in any case @throws JobError NOT_OFFERED */
export function cardOf({ jobs }: JobServices, type: string): Card {
  const wanted = type.toLowerCase();
  const card = jobs.cards.find(({ name, family }) => name.toLowerCase() === wanted || family === wanted);
  if (card) return card;
  const offered = jobs.cards.map(({ name }) => name).join(', ');
  throw new JobError('NOT_OFFERED', `Systems of this type are not offered yet. Offered: ${offered}.`);
}
