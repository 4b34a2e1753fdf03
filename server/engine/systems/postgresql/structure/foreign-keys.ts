import type { Statement } from '../../../sink.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { tableName } from '../../../table.ts';
import { constraintOf, validated } from './constraints.ts';
import { hasColumns, targetName, type Way, withTargetNames } from './way.ts';

/** Only between tables that both go to the target. */
export function foreignKeys(way: Way, ways: readonly Way[]): Statement[] {
  return way.source.constraints.flatMap((constraint): Statement[] => {
    const { kind, references, hasPeriod } = constraint;
    const other = ways.find(({ source }) => source.id === references?.id);
    if (kind !== 'f' || !references || !other) return [];
    if (!hasColumns(way, constraint.columns) || !hasColumns(other, references.columns)) return [];
    const namesOf = (side: Way, names: readonly string[]) =>
      names.map((name) => quoteName(targetName(side, name))).map(hasPeriod ? markPeriod : String);
    const columns = namesOf(way, constraint.columns).join(', ');
    const referred = namesOf(other, references.columns).join(', ');
    const actions = withTargetNames(way, actionsOf(constraint.definition), references.setColumns);
    const sql = `ALTER TABLE ${quoteTable(way.target)} ADD CONSTRAINT ${quoteName(constraint.name)} FOREIGN KEY (${columns}) REFERENCES ${quoteTable(other.target)} (${referred})${actions}`;
    const isDivided = other.source.division !== null || other.have?.partitions !== undefined;
    const made =
      way.besideWriters && !isDivided ? validated(way, constraint, sql) : { sql, makes: constraintOf(way, constraint) };
    return [{ kind: 'foreign-key', phase: 'after', table: tableName(way.target), ...made, exists: false }];
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
