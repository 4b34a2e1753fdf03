import { cards } from '../../engine/systems/cards.ts';
import type { Card } from '../../engine/systems/system.ts';
import { errorTables } from './errors.ts';
import { sampleTable } from './metrics.ts';
import { jobParametersTable, settingsTable } from './params.ts';
import { rightsTable } from './rights.ts';
import { stateTables } from './states.ts';
import { typesTable } from './types.ts';

/** Everything that documents print from code: `name key` → markdown, for the mark `::name{of=key}`. */
export function documentPrints(): ReadonlyMap<string, string> {
  return new Map([
    ...cards.flatMap(ofCard),
    ['params job', jobParametersTable()],
    ...stateTables().map(([key, text]): [string, string] => [`states ${key}`, text]),
    ...errorTables().map(([key, text]): [string, string] => [`errors ${key}`, text]),
    ['metrics job.sample', sampleTable()],
  ]);
}

function ofCard(card: Card): [string, string][] {
  const sides = (['source', 'target'] as const).filter((side) => card[side]);
  return [
    ...sides.map((side): [string, string] => [`params ${card.family}.${side}`, settingsTable(card)]),
    ...sides.map((side): [string, string] => [`rights ${card.family}.${side}`, rightsTable(card.rights[side])]),
    [`types ${card.family}`, typesTable(card.types)],
  ];
}
