import type { TypeFit } from '../../engine/systems/system.ts';
import { code, markdownTable } from './markdown-table.ts';

const fits: Readonly<Record<TypeFit['fit'], string>> = { exact: 'exact', refused: 'refused' };

/** How values of each type arrive at a target of the same family. */
export function typesTable(types: readonly TypeFit[]): string {
  const rows = types.map(({ kind, names, fit, note }) => [kind, names.map(code).join(', '), fits[fit], note]);
  return markdownTable(['Kind', 'Types', 'Values', 'Note'], rows);
}
