import { memo, useState } from 'react';
import type { Job, JobTable, TableState } from '../../contract/jobs/jobs.ts';
import { Dialog } from '../parts/Dialog.tsx';
import { State } from '../parts/State.tsx';
import { moveInGrid } from './move-in-grid.ts';
import { TablePanel } from './TablePanel.tsx';
import { rows, standsStill, tableStateOf, tableWords } from './words.ts';

const order = Object.keys(tableWords) as TableState[];

/** One cell per table, with a colour and letter for its state, so that a thousand fit; a press opens one. */
export function TableGrid({ job, tables }: { job: Job; tables: readonly JobTable[] }) {
  const [open, setOpen] = useState<string>();
  const [wanted, setWanted] = useState('');
  const shown = tables.filter(({ source }) => source.toLowerCase().includes(wanted.toLowerCase()));
  const opened = tables.find(({ id }) => id === open);
  const parked = tables.reduce((sum, table) => sum + table.parked, 0);
  const isSmall = tables.length > 60;
  const isStill = standsStill(job);
  const counts = Map.groupBy(tables, ({ state }) => state);
  if (tables.length === 0) return <p className="console-lede">{noTables(job)}</p>;
  return (
    <>
      <ul className="job-legend" aria-label="Tables by state">
        {order.map((state) => {
          const count = counts.get(state)?.length ?? 0;
          const { tone, label } = tableStateOf(state, job);
          return (
            count > 0 && (
              <li key={state}>
                <State tone={tone}>{label}</State> {count}
              </li>
            )
          );
        })}
        {parked > 0 && (
          <li>
            <State tone="waits">Parked rows</State> {rows(parked)}
          </li>
        )}
      </ul>
      {tables.length > 12 && (
        <label className="job-find">
          <span className="visually-hidden">Find a table</span>
          <input
            className="input"
            type="search"
            placeholder="Find a table"
            value={wanted}
            onChange={({ target }) => setWanted(target.value)}
          />
        </label>
      )}
      <ul
        className={['job-grid', isSmall && 'job-grid-small', isStill && 'job-grid-still'].filter(Boolean).join(' ')}
        aria-label="Tables"
        onKeyDown={moveInGrid}
      >
        {shown.map((table) => (
          <TableCell
            key={table.id}
            table={table}
            label={tableStateOf(table.state, job).label}
            isSmall={isSmall}
            onOpen={setOpen}
          />
        ))}
      </ul>
      {shown.length === 0 && <p role="status">No table matches “{wanted}”.</p>}
      <Dialog title={opened?.source ?? ''} open={opened !== undefined} onClose={() => setOpen(undefined)}>
        {opened && <TablePanel job={job} table={opened} />}
      </Dialog>
    </>
  );
}

function noTables({ dataJobType, currTaskStatus }: Job): string {
  if (dataJobType !== 'STRUCT_MIGRATION') return 'The tables are known once the job has started.';
  return currTaskStatus === 'COMPLETE'
    ? 'The job has created the structure. It copies no rows, so no tables are listed: its events say what was created.'
    : 'The job creates only the structure. It copies no rows, so no tables are listed.';
}

interface TableCellProps {
  table: JobTable;
  /** Its state in words. */
  label: string;
  isSmall: boolean;
  onOpen: (id: string) => void;
}

const TableCell = memo(({ table, label, isSmall, onOpen }: TableCellProps) => {
  const { letter } = tableWords[table.state];
  const parked = table.parked > 0 ? `, ${rows(table.parked)} parked` : '';
  const words = `${table.source}: ${label}${parked}`;
  const share = table.estimate > 0 ? Math.min(100, Math.round((100 * table.rows) / table.estimate)) : 0;
  return (
    <li>
      <button
        type="button"
        className={`job-cell job-cell-${table.state}${table.parked > 0 ? ' job-cell-parked' : ''}`}
        title={words}
        // Hidden text would add three elements to each of a thousand cells.
        aria-label={isSmall ? words : undefined}
        onClick={() => onOpen(table.id)}
      >
        <span className="job-letter" aria-hidden="true">
          {letter}
        </span>
        {!isSmall && (
          <>
            <span className="job-table-name">{table.source}</span>
            <span className="visually-hidden">{label}</span>
            {table.parked > 0 && <span className="job-parked">{rows(table.parked)} parked</span>}
          </>
        )}
        {table.state === 'copying' && <progress max={100} value={share} aria-label={`${share} % copied`} />}
      </button>
    </li>
  );
});
