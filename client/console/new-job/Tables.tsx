import { useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { CatalogDatabase, CatalogTable, DataSource } from '../../contract/jobs/data-sources.ts';
import { fitsPattern } from '../../contract/jobs/table-pattern.ts';
import { FieldFrame } from '../../ui/FieldFrame.tsx';
import { useCall } from '../calls.ts';
import { rows, size } from '../jobs/words.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { Select } from '../parts/Select.tsx';
import { type JobDraft, tablesOf } from './draft.ts';

interface TablesProps {
  draft: JobDraft;
  source: DataSource;
  onChange: (part: Partial<JobDraft>) => void;
}

/** What the source has, to be chosen by a press, by a pattern, or as a pasted list. */
export function Tables({ draft, source, onChange }: TablesProps) {
  const side = { clusterId: 1, dataSourceId: source.id, hostType: source.hostType };
  const databases = useCall<CatalogDatabase[]>(jobCalls.listDatabases, side);
  return (
    <Loaded query={databases} lines={3}>
      {(list) => <InDatabase draft={draft} source={source} databases={list} onChange={onChange} />}
    </Loaded>
  );
}

function InDatabase({ draft, source, databases, onChange }: TablesProps & { databases: readonly CatalogDatabase[] }) {
  const own = typeof source.settings.database === 'string' ? source.settings.database : '';
  const name = draft.sourceDb || own || (databases[0]?.dbName ?? '');
  const database = databases.find(({ dbName }) => dbName === name) ?? databases[0];
  const [schema, setSchema] = useState(database?.schemas.includes('public') ? 'public' : (database?.schemas[0] ?? ''));
  const tables = useCall<CatalogTable[]>(
    jobCalls.listTables,
    { clusterId: 1, dataSourceId: source.id, hostType: source.hostType, dbName: database?.dbName ?? '', schema },
    database !== undefined,
  );
  const chosen = tablesOf(draft);
  const change = (names: readonly string[]) => onChange({ sourceDb: database?.dbName ?? '', tables: names.join('\n') });
  return (
    <>
      {database && database.schemas.length > 1 && (
        <div className="console-filter">
          <Select
            id="job-schema"
            label="Schema"
            options={database.schemas.map((value) => ({ value, label: value }))}
            value={schema}
            onChange={({ target }) => setSchema(target.value)}
          />
        </div>
      )}
      <Loaded query={tables} lines={6}>
        {(list) => <Choice tables={list} chosen={chosen} onChange={change} />}
      </Loaded>
      <details className="job-figures">
        <summary>As a list</summary>
        <FieldFrame id="job-tables" label="Tables" hint="One a line: schema.table">
          <textarea
            className="input"
            id="job-tables"
            rows={6}
            spellCheck={false}
            value={draft.tables}
            onChange={({ target }) => onChange({ sourceDb: database?.dbName ?? '', tables: target.value })}
          />
        </FieldFrame>
      </details>
    </>
  );
}

interface ChoiceProps {
  tables: readonly CatalogTable[];
  chosen: readonly string[];
  onChange: (names: readonly string[]) => void;
}

const nameOf = ({ schemaName, tableName }: CatalogTable) => (schemaName ? `${schemaName}.${tableName}` : tableName);

/** While it has no star, what is typed is looked for anywhere in a name. */
function matches(name: string, pattern: string): boolean {
  const [text, wanted] = [name.toLowerCase(), pattern.toLowerCase()];
  return wanted.includes('*') ? fitsPattern(wanted, text) : text.includes(wanted);
}

function Choice({ tables, chosen, onChange }: ChoiceProps) {
  const [pattern, setPattern] = useState('');
  const shown = tables.filter((table) => matches(table.tableName, pattern));
  const names = shown.map(nameOf);
  const isAll = names.length > 0 && names.every((name) => chosen.includes(name));
  const toggleAll = () =>
    onChange(isAll ? chosen.filter((name) => !names.includes(name)) : [...new Set([...chosen, ...names])]);
  if (tables.length === 0) return <p className="console-lede">There is no table here.</p>;
  return (
    <>
      <div className="job-bar">
        <label className="visually-hidden" htmlFor="job-pattern">
          Pattern
        </label>
        <input
          id="job-pattern"
          className="input"
          type="search"
          placeholder="Pattern, for example order_*"
          value={pattern}
          onChange={({ target }) => setPattern(target.value)}
        />
        <button type="button" className="button" onClick={toggleAll} disabled={names.length === 0}>
          {isAll ? 'Choose none' : `Choose all ${names.length}`}
        </button>
        <span role="status">{chosen.length === 1 ? '1 table chosen' : `${chosen.length} tables chosen`}</span>
      </div>
      <ul className="job-choice">
        {shown.map((table) => {
          const name = nameOf(table);
          return (
            <li key={name}>
              <label>
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={() =>
                    onChange(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
                  }
                />
                <span>{name}</span>
              </label>
              {!table.hasPk && <span className="job-late">no key</span>}
              <span className="figure">about {rows(table.rows)} rows</span>
              <span className="figure">{size(table.bytes)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
