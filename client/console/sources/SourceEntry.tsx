import { useQueryClient } from '@tanstack/react-query';
import { lazy, useCallback, useEffect, useRef, useState } from 'react';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { DataSource, DataSourceOf, Family } from '../../contract/jobs/data-sources.ts';
import type { Finding } from '../../contract/jobs/new-job.ts';
import { useChange } from '../calls.ts';
import { dataSourceName } from '../jobs/words.ts';
import { BusyButton } from '../parts/BusyButton.tsx';
import { Confirm } from '../parts/Confirm.tsx';
import { Failed } from '../parts/Failed.tsx';
import { LazyPart } from '../parts/LazyPart.tsx';
import { Moment } from '../parts/Moment.tsx';
import { State } from '../parts/State.tsx';
import { SourceChange } from './SourceChange.tsx';
import { settingFields } from './settings-fields.ts';

const Findings = lazy(() => import('../new-job/Findings.tsx'));

interface SourceEntryProps {
  source: DataSource;
  /** Has the names of its settings; undefined while loading. */
  family: Family | undefined;
  /** It was just added: it is open and in view, and tested at once. */
  added: boolean;
  /** The address names it: it is open and in view. */
  sought: boolean;
}

/** One data source: what it is, when it last answered, which jobs use it. */
export function SourceEntry({ source, family, added, sought }: SourceEntryProps) {
  const entry = useRef<HTMLDetailsElement>(null);
  const shown = added || sought;
  useEffect(() => {
    if (shown) entry.current?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  const { id, dataSourceType, privateHost, hostType, tested, usedBy } = source;
  const name = dataSourceName(source);
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const [changing, setChanging] = useState(false);
  const reload = () => queries.invalidateQueries({ queryKey: [jobCalls.listDataSources] });
  const test = useChange<Finding[], DataSourceOf>(jobCalls.testDataSource, { onSettled: reload });
  const { mutate } = test;
  const startTest = useCallback(() => mutate({ clusterId: 1, dataSourceId: id, hostType }), [mutate, id, hostType]);
  useEffect(() => {
    if (added) startTest();
  }, [added, startTest]);
  const remove = useChange<null, { dataSourceId: number }>(jobCalls.deleteDataSource, { onSuccess: reload });
  const titles = new Map(family && settingFields(family).map(({ name, title }) => [name, title]));
  // Many databases may be on one server.
  const database = typeof source.settings.database === 'string' ? source.settings.database : '';
  const settings = Object.entries(source.settings).filter(([, value]) => value !== '');
  return (
    <details className="console-entry" ref={entry} open={shown}>
      <summary>
        <span>
          {name}
          <small className="job-message">
            {dataSourceType} {privateHost}
            {database && `/${database}`}
          </small>
        </span>
        <SourceState tested={tested} />
      </summary>
      <dl className="console-facts">
        {settings.map(([setting, value]) => (
          <Fact key={setting} name={titles.get(setting) ?? setting} value={String(value)} />
        ))}
        {tested && (
          <>
            <dt>Tested</dt>
            <dd>
              <Moment at={tested.at} />
              {!test.data && `: ${tested.sentence}`}
            </dd>
          </>
        )}
        <dt>Used by</dt>
        <dd>{usedBy.length === 0 ? 'no jobs' : usedBy.join(', ')}</dd>
      </dl>
      <div role="status">
        {test.data && (
          <LazyPart lines={2}>
            <Findings findings={test.data} ofOne />
          </LazyPart>
        )}
      </div>
      {test.error && <Failed sentence={test.error.message} />}
      <div className="console-actions">
        <BusyButton busy={test.isPending} onPress={startTest}>
          {test.isPending ? 'Testing …' : 'Test'}
        </BusyButton>
        {usedBy.length === 0 && (
          <button type="button" className="button" onClick={() => setAsking(true)}>
            Delete
          </button>
        )}
      </div>
      {family && (
        <details className="job-figures" onToggle={({ currentTarget }) => setChanging(currentTarget.open)}>
          <summary>Change settings</summary>
          {changing && <SourceChange source={source} family={family} onSaved={startTest} />}
        </details>
      )}
      <Confirm
        title={`Delete ${name}?`}
        open={asking}
        action="Delete"
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ dataSourceId: id })}
        onClose={() => setAsking(false)}
      >
        <p>The stored address and password are deleted. The database itself is not touched.</p>
      </Confirm>
    </details>
  );
}

function SourceState({ tested }: Pick<DataSource, 'tested'>) {
  if (!tested) return <State tone="over">Not tested</State>;
  return tested.success ? <State tone="good">Answers</State> : <State tone="bad">Failed</State>;
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}
