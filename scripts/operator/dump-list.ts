/** What a dump contains of a store. */
export interface StoreEntries {
  /** The schema of its tables. */
  schema: string;
  /** Its lines of the list, for `pg_restore --use-list`. */
  lines: string[];
}

/** What belongs to tables and has no life of its own. */
const ofTables = [
  'TABLE DATA',
  'SEQUENCE',
  'SEQUENCE OWNED BY',
  'SEQUENCE SET',
  'DEFAULT',
  'CONSTRAINT',
  'FK CONSTRAINT',
  'INDEX',
];
const entry = /^(?<id>\d+); \d+ \d+ (?<what>.+)$/;
const dependencies = /^;\tdepends on:(?<ids>.*)$/;

/**
 * Finds a store in a dump, which may be of a whole database with tables of other programs.
 * @param list what `pg_restore --list --verbose` writes
 * @param names of the store's tables
 * @returns undefined if it contains none
 */
export function findStore(list: string, names: readonly string[]): StoreEntries | undefined {
  const entries = readList(list);
  const tablesIn = (schema: string) =>
    entries.filter(({ what }) => names.some((name) => what.startsWith(`TABLE ${schema} ${name} `)));
  const [schema] = entries
    .flatMap(({ what }) => /^TABLE (.+) migration /.exec(what)?.[1] ?? [])
    // Another program may have a table of this name too.
    .sort((one, other) => tablesIn(other).length - tablesIn(one).length);
  if (schema === undefined) return undefined;
  const kept = new Set(tablesIn(schema).map(({ id }) => id));
  const foreign = new Set(
    entries.flatMap(({ id, what }) => (/^TABLE (?!DATA )/.test(what) && !kept.has(id) ? id : [])),
  );
  // What an entry depends on comes before it.
  for (const { id, what, needs } of entries) {
    const isOwn = ofTables.some((kind) => what.startsWith(`${kind} ${schema} `));
    // A foreign key of another program's table depends on both tables.
    if (isOwn && needs.some((need) => kept.has(need)) && !needs.some((need) => foreign.has(need))) kept.add(id);
  }
  return { schema, lines: entries.filter(({ id }) => kept.has(id)).map(({ line }) => line) };
}

interface Entry {
  id: string;
  line: string;
  /** Kind, schema, name and owner. */
  what: string;
  /** Ids of the entries that it depends on. */
  needs: string[];
}

function readList(list: string): Entry[] {
  const entries: Entry[] = [];
  for (const line of list.split('\n')) {
    const { id, what } = entry.exec(line)?.groups ?? {};
    if (id !== undefined && what !== undefined) entries.push({ id, line, what, needs: [] });
    const needs = dependencies.exec(line)?.groups?.ids ?? '';
    entries.at(-1)?.needs.push(...needs.split(' ').filter(Boolean));
  }
  return entries;
}
