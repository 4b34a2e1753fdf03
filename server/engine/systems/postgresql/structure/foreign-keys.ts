import type { Statement } from '../../../sink.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { tableName } from '../../../table.ts';
import { constraintOf, validated } from './constraints.ts';
import { hasColumns, type TableMapping, targetName, withTargetNames } from './table-mapping.ts';

/** Only between tables that both go to the target. */
export function foreignKeys(mapping: TableMapping, mappings: readonly TableMapping[]): Statement[] {
  return mapping.source.constraints.flatMap((constraint): Statement[] => {
    const { kind, references, hasPeriod } = constraint;
    const other = mappings.find(({ source }) => source.id === references?.id);
    if (kind !== 'f' || !references || !other) return [];
    if (!hasColumns(mapping, constraint.columns) || !hasColumns(other, references.columns)) return [];
    const namesOf = (side: TableMapping, names: readonly string[]) =>
      names.map((name) => quoteName(targetName(side, name))).map(hasPeriod ? markPeriod : String);
    const columns = namesOf(mapping, constraint.columns).join(', ');
    const referred = namesOf(other, references.columns).join(', ');
    const actions = withTargetNames(mapping, actionsOf(constraint.definition), references.setColumns);
    const sql = `ALTER TABLE ${quoteTable(mapping.target)} ADD CONSTRAINT ${quoteName(constraint.name)} FOREIGN KEY (${columns}) REFERENCES ${quoteTable(other.target)} (${referred})${actions}`;
    const isDivided = other.source.division !== null || other.have?.partitions !== undefined;
    const made =
      mapping.besideWriters && !isDivided
        ? validated(mapping, constraint, sql)
        : { sql, makes: constraintOf(mapping, constraint) };
    return [{ kind: 'foreign-key', phase: 'after', table: tableName(mapping.target), ...made, exists: false }];
  });
}

const markPeriod = (name: string, place: number, { length }: readonly string[]) =>
  place === length - 1 ? `PERIOD ${name}` : name;

/** What a foreign key's text says after the referenced columns. */
function actionsOf(definition: string): string {
  const name = String.raw`(?:"(?:[^"]|"")*"|[^\s("]+)`;
  const list = String.raw`\((?:[^()"]|"(?:[^"]|"")*")*\)`;
  return definition.replace(new RegExp(`^FOREIGN KEY ${list} REFERENCES (?:${name}\\.)?${name}\\s*${list}`), '');
}
