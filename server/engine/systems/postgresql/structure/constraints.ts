import type { DatabaseObject, Statement } from '../../../sink.ts';
import { quoteName, quoteTable } from '../../../sql/names.ts';
import { tableName } from '../../../table.ts';
import {
  createIndex,
  createIndexAs,
  inSteps,
  keyIndexes,
  type Named,
  nameless,
  type Sameness,
  underName,
} from './indexes.ts';
import type { ConstraintStructure } from './read-tables.ts';
import { hasColumns, targetName, type Way, withTargetNames } from './way.ts';

/** The key that rows are found by: the primary key, and unique indexes on the key's columns. */
export function keyStatements(way: Way): Statement[] {
  const { source, target, have } = way;
  const common = {
    kind: 'key',
    phase: 'before',
    table: tableName(target),
    exists: (have?.key.length ?? 0) > 0,
  } as const;
  const primary = source.constraints.filter(({ kind, columns }) => kind === 'p' && hasColumns(way, columns));
  return [
    ...primary.map((constraint) => ({ ...common, ...addConstraint(way, constraint) })),
    ...keyIndexes(way).map((index) => ({ ...common, ...createIndex(way, index) })),
  ];
}

export function constraintStatements(
  way: Way,
  kinds: ConstraintStructure['kind'][],
  kind: 'index' | 'check',
): Statement[] {
  return way.source.constraints
    .filter((constraint) => kinds.includes(constraint.kind) && canCarry(way, constraint))
    .map((constraint) => ({
      kind,
      // The target may find rows by a unique constraint.
      phase: isKey(way, constraint) ? 'before' : 'after',
      table: tableName(way.target),
      ...(way.besideWriters && !isKey(way, constraint) ? addOnline(way, constraint) : addConstraint(way, constraint)),
      exists: false,
    }));
}

function isKey(way: Way, { kind, columns }: ConstraintStructure): boolean {
  const key = way.target.key.map((column) => way.target.columns[column]?.name);
  return (
    kind === 'u' && columns.length === key.length && columns.every((column) => key.includes(targetName(way, column)))
  );
}

/**
 * A condition, or an expression stored separately, may name any column; for a condition, the server knows which ones.
 */
export function canCarry(way: Way, { kind, calls, references, columns, isPlain }: ConstraintStructure): boolean {
  const { isRenamed, isPartial, beside } = way;
  if (references && !beside.has(references.id)) return false;
  if (!hasColumns(way, columns)) return false;
  return !calls && (!isRenamed || kind !== 'c') && (isPlain || (!isRenamed && !isPartial));
}

function addConstraint(way: Way, constraint: ConstraintStructure): Named {
  const definition = definitionOf(way, constraint);
  const sqlOf = (name: string) =>
    `ALTER TABLE ${quoteTable(way.target)} ADD CONSTRAINT ${quoteName(name)} ${definition}`;
  // Check names only need to be unique per table.
  if (constraint.kind === 'c') return { sql: sqlOf(constraint.name), makes: constraintOf(way, constraint) };
  return underName(way, constraint.name, (name) => ({ sql: sqlOf(name) }), ownIndex(way, constraint));
}

/** The same, without blocking writers while all rows are checked, if the server can do that. */
function addOnline(way: Way, constraint: ConstraintStructure): Named {
  const { kind, name, definition, index, included } = constraint;
  if (kind === 'c') return validated(way, constraint, addConstraint(way, constraint).sql);
  // Until its constraint exists, an index checks at once what a deferrable constraint may check at commit.
  const isDeferrable = / DEFERRABLE\b/.test(definition);
  if (kind !== 'u' || index === null || isDeferrable || !hasColumns(way, included))
    return addConstraint(way, constraint);
  const textOf = (as: string) =>
    inSteps([
      createIndexAs(way, { ...constraint, definition: index }, as, true),
      `ALTER TABLE ${quoteTable(way.target)} ADD CONSTRAINT ${quoteName(as)} UNIQUE USING INDEX ${quoteName(as)}`,
    ]);
  return underName(way, name, textOf, { ...ownIndex(way, constraint), isConstraint: true });
}

/** The definition of a unique constraint's index, whatever its name. */
function ownIndex(way: Way, { index, ...constraint }: ConstraintStructure): Sameness {
  return index === null ? {} : { definition: nameless(way, { ...constraint, definition: index }) };
}

/** A constraint that is created at once, and then validated for existing rows. */
export function validated(way: Way, constraint: ConstraintStructure, sql: string): Named {
  // The source's own constraint may be not validated, or not enforced.
  if (/ NOT (?:VALID|ENFORCED)$/.test(sql)) return { sql, makes: constraintOf(way, constraint) };
  const validate = `ALTER TABLE ${quoteTable(way.target)} VALIDATE CONSTRAINT ${quoteName(constraint.name)}`;
  return { ...inSteps([`${sql} NOT VALID`, validate]), makes: { ...constraintOf(way, constraint), kind: 'validated' } };
}

export function constraintOf({ target }: Way, { name }: ConstraintStructure): DatabaseObject {
  return { kind: 'constraint', schema: target.schema, table: target.name, name };
}

/**
 * The server's own text; included columns that are not replicated are dropped from it rather than omitting the
 * constraint.
 */
function definitionOf(way: Way, { definition, columns, included }: ConstraintStructure): string {
  const text = hasColumns(way, included)
    ? definition
    : definition.replace(/ INCLUDE \((?:[^()"]|"(?:[^"]|"")*")*\)/, '');
  return withTargetNames(way, text, [...columns, ...included]);
}
