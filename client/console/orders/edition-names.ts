import type { Edition } from '../../contract/console/orders.ts';

export const editionNames: Record<Edition, string> = {
  COMMUNITY: 'Community',
  TRIAL: 'Enterprise trial',
  ENTERPRISE: 'Enterprise',
};
