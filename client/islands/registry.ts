import type { ComponentType, ReactElement } from 'react';

/** What an island's file exports. */
interface IslandModule {
  /** The component that the server renders into the page. */
  default: ComponentType<never>;
  /** The same component with the page's JSON props; throws when they are not its own. */
  render(props: unknown): ReactElement;
}

/** Every island, loaded on use. */
export const islands = {
  PricingCalculator: () => import('./PricingCalculator.tsx'),
} satisfies Record<string, () => Promise<IslandModule>>;

export type IslandName = keyof typeof islands;

/** True if this build has an island of that name. */
export function isIslandName(name: string): name is IslandName {
  return Object.hasOwn(islands, name);
}
