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
import { hasColumns, type TableMapping, targetName, withTargetNames } from './table-mapping.ts';

/** The key that rows are found by: the primary key, and unique indexes on the key's columns. */
export function keyStatements(mapping: TableMapping): Statement[] {
  const { source, target, have } = mapping;
  const common = {
    kind: 'key',
    phase: 'before',
    table: tableName(target),
    exists: (have?.key.length ?? 0) > 0,
  } as const;
  const primary = source.constraints.filter(({ kind, columns }) => kind === 'p' && hasColumns(mapping, columns));
  return [
    ...primary.map((constraint) => ({ ...common, ...addConstraint(mapping, constraint) })),
    ...keyIndexes(mapping).map((index) => ({ ...common, ...createIndex(mapping, index) })),
  ];
}

export function constraintStatements(
  mapping: TableMapping,
  kinds: ConstraintStructure['kind'][],
  kind: 'index' | 'check',
): Statement[] {
  return mapping.source.constraints
    .filter((constraint) => kinds.includes(constraint.kind) && canCarry(mapping, constraint))
    .map((constraint) => ({
      kind,
      // The target may find rows by a unique constraint.
      phase: isKey(mapping, constraint) ? 'before' : 'after',
      table: tableName(mapping.target),
      ...(mapping.besideWriters && !isKey(mapping, constraint)
        ? addOnline(mapping, constraint)
        : addConstraint(mapping, constraint)),
      exists: false,
    }));
}

function isKey(mapping: TableMapping, { kind, columns }: ConstraintStructure): boolean {
  const key = mapping.target.key.map((column) => mapping.target.columns[column]?.name);
  return (
    kind === 'u' &&
    columns.length === key.length &&
    columns.every((column) => key.includes(targetName(mapping, column)))
  );
}

/**
 * A condition, or an expression stored separately, may name any column; for a condition, the server knows which ones.
 */
export function canCarry(
  mapping: TableMapping,
  { kind, calls, references, columns, isPlain }: ConstraintStructure,
): boolean {
  const { isRenamed, isPartial, beside } = mapping;
  if (references && !beside.has(references.id)) return false;
  if (!hasColumns(mapping, columns)) return false;
  return !calls && (!isRenamed || kind !== 'c') && (isPlain || (!isRenamed && !isPartial));
}

function addConstraint(mapping: TableMapping, constraint: ConstraintStructure): Named {
  const definition = definitionOf(mapping, constraint);
  const sqlOf = (name: string) =>
    `ALTER TABLE ${quoteTable(mapping.target)} ADD CONSTRAINT ${quoteName(name)} ${definition}`;
  // Check names only need to be unique per table.
  if (constraint.kind === 'c') return { sql: sqlOf(constraint.name), makes: constraintOf(mapping, constraint) };
  return underName(mapping, constraint.name, (name) => ({ sql: sqlOf(name) }), ownIndex(mapping, constraint));
}

/** The same, without blocking writers while all rows are checked, if the server can do that. */
function addOnline(mapping: TableMapping, constraint: ConstraintStructure): Named {
  const { kind, name, definition, index, included } = constraint;
  if (kind === 'c') return validated(mapping, constraint, addConstraint(mapping, constraint).sql);
  // Until its constraint exists, an index checks at once what a deferrable constraint may check at commit.
  const isDeferrable = / DEFERRABLE\b/.test(definition);
  if (kind !== 'u' || index === null || isDeferrable || !hasColumns(mapping, included))
    return addConstraint(mapping, constraint);
  const textOf = (as: string) =>
    inSteps([
      createIndexAs(mapping, { ...constraint, definition: index }, as, true),
      `ALTER TABLE ${quoteTable(mapping.target)} ADD CONSTRAINT ${quoteName(as)} UNIQUE USING INDEX ${quoteName(as)}`,
    ]);
  return underName(mapping, name, textOf, { ...ownIndex(mapping, constraint), isConstraint: true });
}

/** The definition of a unique constraint's index, whatever its name. */
function ownIndex(mapping: TableMapping, { index, ...constraint }: ConstraintStructure): Sameness {
  return index === null ? {} : { definition: nameless(mapping, { ...constraint, definition: index }) };
}

/** A constraint that is created at once, and then validated for existing rows. */
export function validated(mapping: TableMapping, constraint: ConstraintStructure, sql: string): Named {
  // The source's own constraint may be not validated, or not enforced.
  if (/ NOT (?:VALID|ENFORCED)$/.test(sql)) return { sql, makes: constraintOf(mapping, constraint) };
  const validate = `ALTER TABLE ${quoteTable(mapping.target)} VALIDATE CONSTRAINT ${quoteName(constraint.name)}`;
  return {
    ...inSteps([`${sql} NOT VALID`, validate]),
    makes: { ...constraintOf(mapping, constraint), kind: 'validated' },
  };
}

export function constraintOf({ target }: TableMapping, { name }: ConstraintStructure): DatabaseObject {
  return { kind: 'constraint', schema: target.schema, table: target.name, name };
}

/**
 * The server's own text; included columns that are not replicated are dropped from it rather than omitting the
 * constraint.
 */
function definitionOf(mapping: TableMapping, { definition, columns, included }: ConstraintStructure): string {
  const text = hasColumns(mapping, included)
    ? definition
    : definition.replace(/ INCLUDE \((?:[^()"]|"(?:[^"]|"")*")*\)/, '');
  return withTargetNames(mapping, text, [...columns, ...included]);
}
