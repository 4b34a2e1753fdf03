import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { DataSource, Family } from '../../contract/jobs/data-sources.ts';
import { mayHaveNoJobs, useCall } from '../calls.ts';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Section } from '../parts/Section.tsx';
import { Select } from '../parts/Select.tsx';
import '../jobs/jobs.css';
import { SourceEntry } from './SourceEntry.tsx';
import { SourceForm } from './SourceForm.tsx';

/** The databases that jobs read and write. */
export default function DataSources() {
  const sources = useCall<DataSource[]>(jobCalls.listDataSources, {});
  const families = useCall<Family[]>(jobCalls.listFamilies);
  const [query] = useSearchParams();
  const [added, setAdded] = useState<number>();
  return (
    <>
      <Loaded query={sources} lines={4}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No data sources yet">
              <p>A data source is a database and the user that jobs sign in as. The password is stored encrypted.</p>
            </Empty>
          ) : (
            list.map((source) => (
              <SourceEntry
                key={source.id}
                source={source}
                family={families.data?.find(({ family }) => family === source.family)}
                added={source.id === added}
                sought={query.get('id') === String(source.id)}
              />
            ))
          )
        }
      </Loaded>
      {!mayHaveNoJobs(sources.error) && (
        <Section title="Add a data source">
          <Loaded query={families}>{(list) => <AddSource families={list} onAdded={setAdded} />}</Loaded>
        </Section>
      )}
    </>
  );
}

function AddSource({ families, onAdded }: { families: readonly Family[]; onAdded: (id: number) => void }) {
  const [name, setName] = useState(families[0]?.family ?? '');
  const family = families.find((one) => one.family === name);
  return (
    <>
      <div className="console-filter">
        <Select
          id="source-family"
          label="System"
          options={families.map((one) => ({ value: one.family, label: one.name }))}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      {family && <SourceForm key={family.family} family={family} onAdded={onAdded} />}
    </>
  );
}
