import { useState } from 'react';
import { counted } from '../../contract/counted.ts';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { CatalogDatabase, CatalogTable, DataSource } from '../../contract/jobs/data-sources.ts';
import { fitsPattern } from '../../contract/jobs/table-pattern.ts';
import { describedBy, FieldFrame } from '../../ui/FieldFrame.tsx';
import { useCall } from '../calls.ts';
import { rows, size } from '../jobs/words.ts';
import { Loaded } from '../parts/Loaded.tsx';
import { Select } from '../parts/Select.tsx';
import type { JobDraft } from './draft.ts';
import { faultOfLines, faultOfNames } from './draft-faults.ts';
import { isPattern, patternEffectIn, tablesOf, withTables } from './draft-lines.ts';

interface TablesProps {
  draft: JobDraft;
  source: DataSource;
  onChange: (part: Partial<JobDraft>) => void;
}

/** The source's tables, selected one by one, by a pattern, or as a pasted list. */
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
    { enabled: database !== undefined },
  );
  const chosen = tablesOf(draft);
  const change = (names: readonly string[]) =>
    onChange({ sourceDb: database?.dbName ?? '', tables: withTables(draft, names) });
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
        {(list) => <Choice draft={draft} tables={list} schema={schema} chosen={chosen} onChange={change} />}
      </Loaded>
      <details className="job-figures">
        <summary>As a list</summary>
        <FieldFrame
          id="job-tables"
          label="Tables"
          hint="One per line: schema.table. An asterisk stands for any characters: public.order_*. A line such as !public.order_old leaves tables out."
        >
          <textarea
            className="input"
            id="job-tables"
            aria-describedby="job-tables-hint"
            rows={6}
            spellCheck={false}
            value={draft.tables}
            onChange={({ target }) => onChange({ sourceDb: database?.dbName ?? '', tables: target.value })}
          />
        </FieldFrame>
      </details>
      <Details draft={draft} onChange={onChange} />
    </>
  );
}

interface LinesProps {
  id: string;
  /** The section's title; it stays folded until it has content. */
  summary: string;
  label: string;
  hint: string;
  error: string | undefined;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** Settings for some of the selected tables, one per line. */
function Lines({ id, summary, label, hint, error, placeholder, value, onChange }: LinesProps) {
  // Once open, it stays open: a user who empties the field is about to type into it.
  const [open, setOpen] = useState(value !== '');
  return (
    <details className="job-figures" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      <FieldFrame id={id} label={label} hint={hint} error={error} optional>
        <textarea
          className="input"
          id={id}
          aria-describedby={describedBy(id, { hint, error })}
          aria-invalid={error ? true : undefined}
          rows={3}
          spellCheck={false}
          placeholder={placeholder}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </FieldFrame>
    </details>
  );
}

/** Which columns and rows are carried, and which names differ at the target; the check says whether it is possible. */
function Details({ draft, onChange }: Pick<TablesProps, 'draft' | 'onChange'>) {
  return (
    <>
      <Lines
        id="job-columns"
        summary="Only some columns"
        label="Columns"
        hint="One per line: schema.table: id, name carries only these; schema.table: !note leaves that one out. The key must be carried."
        error={faultOfLines(draft, draft.columns)}
        placeholder="public.orders: !note"
        value={draft.columns}
        onChange={(columns) => onChange({ columns })}
      />
      <Lines
        id="job-filters"
        summary="Only some rows"
        label="Row filters"
        hint="One per line: schema.table: condition, in the source’s SQL. Rows that do not meet it, or no longer do, are not at the target."
        error={faultOfLines(draft, draft.filters)}
        placeholder="public.orders: region = 'EU'"
        value={draft.filters}
        onChange={(filters) => onChange({ filters })}
      />
      <Lines
        id="job-names"
        summary="Other names at the target"
        label="Names"
        hint="One per line: schema.table -> name, or schema.table.column -> name."
        error={faultOfNames(draft)}
        placeholder="public.orders -> sales"
        value={draft.names}
        onChange={(names) => onChange({ names })}
      />
    </>
  );
}

interface ChoiceProps {
  draft: JobDraft;
  tables: readonly CatalogTable[];
  schema: string;
  chosen: readonly string[];
  onChange: (names: readonly string[]) => void;
}

const nameOf = ({ schemaName, tableName }: CatalogTable) => (schemaName ? `${schemaName}.${tableName}` : tableName);

/** Text without an asterisk matches anywhere in a name. */
function matches(name: string, pattern: string): boolean {
  const [text, wanted] = [name.toLowerCase(), pattern.toLowerCase()];
  return wanted.includes('*') ? fitsPattern(wanted, text) : text.includes(wanted);
}

function chosenWords(chosen: readonly string[]): string {
  const patterns = chosen.filter(isPattern).length;
  const tables = chosen.length - patterns;
  const words = `${counted(tables, 'table')} selected`;
  if (patterns === 0) return words;
  const fitting = `what matches ${counted(patterns, 'pattern')}`;
  return tables === 0 ? `Selected: ${fitting}` : `${words}, plus ${fitting}`;
}

function Choice({ draft, tables, schema, chosen, onChange }: ChoiceProps) {
  const [pattern, setPattern] = useState('');
  const shown = tables.filter((table) => matches(table.tableName, pattern));
  const names = shown.map(nameOf);
  const unnamedOf = patternEffectIn(draft);
  const hasSchemas = tables.some(({ schemaName }) => schemaName);
  const isAll = names.length > 0 && names.every((name) => chosen.includes(name));
  const toggleAll = () =>
    onChange(isAll ? chosen.filter((name) => !names.includes(name)) : [...new Set([...chosen, ...names])]);
  if (tables.length === 0) return <p className="console-lede">There are no tables here.</p>;
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
          {isAll ? 'Select none' : `Select all ${names.length}`}
        </button>
        {isPattern(pattern) && (
          <button
            type="button"
            className="button"
            onClick={() => onChange([...new Set([...chosen, hasSchemas ? `${schema}.${pattern}` : pattern])])}
          >
            Select by pattern
          </button>
        )}
        <span role="status">{chosenWords(chosen)}</span>
      </div>
      <ul className="job-choice">
        {shown.map((table) => {
          const name = nameOf(table);
          const unnamed = unnamedOf(name);
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
              {unnamed && <span className="job-none">{unnamed === 'taken' ? 'by a pattern' : unnamed}</span>}
              {!table.hasPk && <span className="job-late">no key</span>}
              <span className="figure job-choice-rows">
                about {rows(table.rows)} {table.rows === 1 ? 'row' : 'rows'}
              </span>
              <span className="figure job-choice-size">{size(table.bytes)}</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}
