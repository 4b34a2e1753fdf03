import { Link } from 'wouter';
import type { DataSource, Family } from '../../contract/jobs/data-sources.ts';
import { dataSourceName } from '../jobs/words.ts';
import { Select } from '../parts/Select.tsx';
import type { JobDraft } from './draft.ts';
import { chosenOf } from './sides-of-draft.ts';

interface SidesProps {
  draft: JobDraft;
  sources: readonly DataSource[];
  families: readonly Family[];
  onChange: (part: Partial<JobDraft>) => void;
}

const nothing = { value: '', label: 'Choose …' };
const option = (source: DataSource) => ({
  value: String(source.id),
  label: `${source.dataSourceType}: ${dataSourceName(source)}`,
});

/** Where rows come from, and where they go: only systems that the source can be copied to are offered. */
export function Sides({ draft, sources, families, onChange }: SidesProps) {
  const readable = sources.filter(({ family }) => families.find((one) => one.family === family)?.source);
  const source = chosenOf(sources, draft.source);
  const targets = families.find(({ family }) => family === source?.family)?.targets ?? [];
  const writable = sources.filter(({ id, family }) => targets.includes(family) && id !== source?.id);
  return (
    <>
      <div className="job-sides">
        <Select
          id="job-source"
          label="Source"
          options={[nothing, ...readable.map(option)]}
          value={draft.source}
          onChange={({ target }) =>
            onChange({ source: target.value, target: '', tables: '', sourceDb: '', targetDb: '' })
          }
        />
        <Select
          id="job-target"
          label="Target"
          options={[nothing, ...writable.map(option)]}
          value={draft.target}
          onChange={({ target }) => onChange({ target: target.value, targetDb: databaseOf(sources, target.value) })}
        />
      </div>
      {source && writable.length === 0 && (
        <p className="field-hint">No other data source can take rows from {source.dataSourceType}.</p>
      )}
      <p className="field-hint">
        <Link href="/console/data-sources">Add a data source</Link>
      </p>
    </>
  );
}

function databaseOf(sources: readonly DataSource[], id: string): string {
  const database = chosenOf(sources, id)?.settings.database;
  return typeof database === 'string' ? database : '';
}
