import type { DataSource } from '../../contract/jobs/data-sources.ts';
import type { JobType } from '../../contract/jobs/jobs.ts';
import { FieldFrame } from '../../ui/FieldFrame.tsx';
import { Select } from '../parts/Select.tsx';
import type { JobDraft } from './draft.ts';
import { isPattern, tablesOf } from './draft-lines.ts';
import { nameFor } from './sides-of-draft.ts';

interface OptionsProps {
  draft: JobDraft;
  sources: readonly DataSource[];
  onChange: (part: Partial<JobDraft>) => void;
}

const types: { value: JobType; label: string }[] = [
  { value: 'SYNC', label: 'Copy and follow changes' },
  { value: 'MIGRATION', label: 'Copy once' },
  { value: 'STRUCT_MIGRATION', label: 'Structure only' },
];
const yesNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];
const ddl = [
  { value: 'safe', label: 'Follow additions, otherwise wait' },
  { value: 'ignore', label: 'Ignore' },
  { value: 'stop', label: 'Stop the job' },
];
const conflict = [
  { value: 'REPLACE', label: 'Replace them' },
  { value: 'IGNORE', label: 'Keep them' },
];

const letters = [
  { value: 'MIRROR', label: 'As at the source' },
  { value: 'TO_LOWER_CASE', label: 'In lower case' },
  { value: 'TO_UPPER_CASE', label: 'In upper case' },
];
const addNew = [
  { value: 'no', label: 'Leave them out' },
  { value: 'yes', label: 'Add them' },
];

/** The job's options. */
export function Options({ draft, sources, onChange }: OptionsProps) {
  const choose = <Name extends keyof JobDraft>(name: Name) => ({
    value: draft[name],
    // The options are the values of the draft's field.
    onChange: ({ target }: { target: { value: string } }) => onChange({ [name]: target.value } as Partial<JobDraft>),
  });
  const isSync = draft.type === 'SYNC';
  return (
    <div className="job-sides">
      <Select id="job-type" label="Type" options={types} {...choose('type')} />
      {draft.type !== 'STRUCT_MIGRATION' && (
        <Select id="job-structure" label="Create schemas and tables first" options={yesNo} {...choose('structure')} />
      )}
      {isSync && <Select id="job-load" label="Copy existing rows" options={yesNo} {...choose('initialLoad')} />}
      {isSync && <Select id="job-ddl" label="When a table’s structure changes" options={ddl} {...choose('ddl')} />}
      {draft.type !== 'STRUCT_MIGRATION' && (
        <Select id="job-conflict" label="Rows that the target already has" options={conflict} {...choose('conflict')} />
      )}
      {isSync && tablesOf(draft).some(isPattern) && (
        <Select id="job-add-new" label="New tables that match a pattern" options={addNew} {...choose('addNew')} />
      )}
      <Select id="job-letters" label="Names at the target" options={letters} {...choose('letters')} />
      <FieldFrame
        id="job-target-schema"
        label="Schema at the target"
        hint="Empty: same names as at the source."
        optional
      >
        <input
          className="input"
          id="job-target-schema"
          aria-describedby="job-target-schema-hint"
          {...choose('targetSchema')}
        />
      </FieldFrame>
      <FieldFrame id="job-name" label="Name" optional>
        <input
          className="input"
          id="job-name"
          maxLength={100}
          placeholder={nameFor(draft, sources)}
          {...choose('name')}
        />
      </FieldFrame>
    </div>
  );
}
