import type { Facts, PartNow, TableFacts } from '../facts.ts';

/** What happened to a table's rows without a trace in its log. */
export interface Silent {
  /** `wait`: an operator decides. `resync`: the table is copied again. */
  kind: 'wait' | 'resync';
  why: string;
}

/**
 * Finds what changed rows and is in no log. VACUUM FULL, CLUSTER and a new tablespace or form of storage also give a
 * table new files, and change neither its rows nor its columns' entries; ALTER … TYPE … USING changes both. For a
 * partition this cannot be told from TRUNCATE, so its table is copied again.
 * @param told `truncates`: transactions whose TRUNCATE of the table was delivered; `sharesKeys`: whether rows were
 * delivered that may have shared their key with others
 */
export function silentChange(
  before: Facts,
  now: TableFacts,
  { truncates, sharesKeys }: { truncates: ReadonlySet<string>; sharesKeys: boolean },
): Silent | undefined {
  const typed = renamedLabel(before, now) ?? otherAttributes(before, now);
  if (typed) return { kind: 'wait', why: typed };
  if (before.continuity !== '' && before.continuity !== now.continuity)
    return { kind: 'resync', why: 'the table was recreated, or not all of its changes were logged for a while' };
  // The identity may have been another one between two looks, which the log alone tells.
  const mayShare = sharesKeys || before.tellsWhole || now.tellsWhole;
  if (mayShare && before.key !== '' && now.key !== '' && before.key !== now.key)
    return { kind: 'resync', why: 'its key was dropped and recreated, so it may have had rows with equal keys' };
  const isPartitioned = ({ parts }: Facts) => parts.length !== 1 || parts[0]?.id !== now.table.id;
  return isPartitioned(before) || isPartitioned(now) ? ofPartitions(before, now, truncates) : ofTable(before, now);
}

/** Rows that came without a column that exists: their cells are only at the source. @param untold names of columns */
export function untoldCells(untold: ReadonlySet<string>, { table }: Pick<TableFacts, 'table'>): Silent | undefined {
  const back = table.columns.find(({ name }) => untold.has(name));
  return (
    back && { kind: 'resync', why: `rows were written while column ${back.name} had another name or did not exist` }
  );
}

/** Whether a source enum has labels that it did not have before. */
export function hasNewLabels(before: Facts, { enums }: Facts): boolean {
  const known = new Set(before.enums.flatMap(({ labels }) => labels.map(({ id }) => id)));
  return enums.some(({ labels }) => labels.some(({ id }) => !known.has(id)));
}

/** Whether the source has new generated columns, if its catalogue numbers columns. */
export function hasNewComputed(before: Facts, { table }: Pick<TableFacts, 'table'>): boolean {
  const known = new Set(before.columns.map(({ name }) => name));
  return known.size > 0 && table.columns.some(({ name, generated }) => generated && !known.has(name));
}

/** Rows with the label have another text now. */
export function renamedLabel(before: Facts, { enums }: Pick<Facts, 'enums'>): string | undefined {
  const known = new Map(before.enums.flatMap(({ labels }) => labels.map(({ id, label }) => [id, label])));
  const changed = enums.find(({ labels }) => labels.some(({ id, label }) => (known.get(id) ?? label) !== label));
  return changed && `a label of the type ${changed.schema}.${changed.name} was renamed`;
}

/** Rows have fewer or more values in their text, and the target would mix them up. */
function otherAttributes(before: Facts, { composites }: Pick<Facts, 'composites'>): string | undefined {
  const known = new Map(before.composites.map(({ id, attributes }) => [id, attributes.join()]));
  const changed = composites.find(({ id, attributes }) => (known.get(id) ?? attributes.join()) !== attributes.join());
  return changed && `the type ${changed.schema}.${changed.name} has different attributes`;
}

function ofTable(before: Facts, now: Facts): Silent | undefined {
  if (before.parts[0]?.file === now.parts[0]?.file) return undefined;
  const earlier = new Map(before.columns.map((column) => [column.number, column]));
  const altered = now.columns.filter(({ number, entry }) => (earlier.get(number)?.entry ?? entry) !== entry);
  // Any rewrite alters the entry of a column whose value was only in the catalogue.
  const isSure = altered.some(({ number }) => !earlier.get(number)?.isFast);
  if (isSure) return { kind: 'wait', why: 'its rows were rewritten' };
  return altered.length > 0 ? { kind: 'resync', why: 'its rows may have been rewritten' } : undefined;
}

function ofPartitions(before: Facts, now: TableFacts, truncates: ReadonlySet<string>): Silent | undefined {
  const earlier = new Map(before.parts.map((part) => [part.id, part]));
  const current = new Set(now.parts.map(({ id }) => id));
  const isNew = ({ id, isBorn }: PartNow) => !earlier.has(id) && !isBorn;
  const isEmptied = ({ id, file, transaction }: PartNow) =>
    (earlier.get(id)?.file ?? file) !== file && !truncates.has(transaction);
  const isBack = ({ id, link }: PartNow) => (earlier.get(id)?.link || link) !== link;
  if (before.parts.some(({ id }) => !current.has(id)))
    return { kind: 'resync', why: 'a partition was detached or dropped' };
  if (now.parts.some(isNew)) return { kind: 'resync', why: 'a partition was attached' };
  if (now.parts.some(isBack)) return { kind: 'resync', why: 'a partition was detached and attached again' };
  if (now.parts.some(isEmptied)) return { kind: 'resync', why: 'a partition was truncated or rewritten' };
  return undefined;
}
