import { useState } from 'react';
import { Link, useLocation, useSearchParams } from 'wouter';
import { keepDraft, readDraft } from '../../account/drafts.ts';
import { jobCalls } from '../../contract/jobs/calls.ts';
import type { DataSource, Family } from '../../contract/jobs/data-sources.ts';
import type { Job } from '../../contract/jobs/jobs.ts';
import { useCall } from '../calls.ts';
import { PracticeButton } from '../jobs/PracticeButton.tsx';
import { Empty } from '../parts/Empty.tsx';
import { Loaded } from '../parts/Loaded.tsx';
import { Section } from '../parts/Section.tsx';
import '../jobs/jobs.css';
import { Check } from './Check.tsx';
import { draftFromKept, emptyDraft, type JobDraft } from './draft.ts';
import { draftFromJob } from './draft-of-job.ts';
import { Options } from './Options.tsx';
import { Sides } from './Sides.tsx';
import { chosenOf } from './sides-of-draft.ts';
import { Tables } from './Tables.tsx';

const draftName = 'new-job';

/** Four steps on one page: sides, tables, options, check. */
export default function NewJob() {
  const [query] = useSearchParams();
  const like = query.get('like');
  const sources = useCall<DataSource[]>(jobCalls.listDataSources, {});
  const families = useCall<Family[]>(jobCalls.listFamilies);
  const model = useCall<Job>(jobCalls.queryJob, { jobId: Number(like) }, { enabled: like !== null });
  if (like !== null && !model.data) return <Loaded query={model}>{() => null}</Loaded>;
  return (
    <Loaded query={sources} lines={6}>
      {(list) => (
        <Loaded query={families} lines={6}>
          {(kinds) =>
            list.length === 0 ? (
              <Empty title="A job needs two data sources">
                <p>
                  <Link href="/console/data-sources">Add the databases</Link> that rows come from and go to, or try out
                  a job first:
                </p>
                <div className="console-actions">
                  <PracticeButton />
                </div>
              </Empty>
            ) : (
              <Steps sources={list} families={kinds} initial={initialDraft(model.data)} />
            )
          }
        </Loaded>
      )}
    </Loaded>
  );
}

/** The draft kept from before, or the choices of the job being duplicated. */
function initialDraft(like: Job | undefined): JobDraft {
  return like ? { ...emptyDraft, ...draftFromJob(like) } : draftFromKept(readDraft(draftName));
}

interface StepsProps {
  sources: DataSource[];
  families: Family[];
  initial: JobDraft;
}

function Steps({ sources, families, initial }: StepsProps) {
  const [draft, setDraft] = useState(initial);
  const [path, navigate] = useLocation();
  const [query] = useSearchParams();
  const change = (part: Partial<JobDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keepDraft(draftName, { ...next });
    // From now on this is no longer a plain copy: a reload restores the draft, not the original job.
    if (query.has('like')) navigate(path, { replace: true });
  };
  const source = chosenOf(sources, draft.source);
  return (
    <>
      <Section title="1. Sides">
        <Sides draft={draft} sources={sources} families={families} onChange={change} />
      </Section>
      <Section title="2. Tables">
        {source ? (
          <Tables key={source.id} draft={draft} source={source} onChange={change} />
        ) : (
          <p className="console-lede">Choose a source first.</p>
        )}
      </Section>
      <Section title="3. Options">
        <Options draft={draft} sources={sources} onChange={change} />
      </Section>
      <Section title="4. Check">
        <Check draft={draft} sources={sources} onMade={() => keepDraft(draftName, null)} />
      </Section>
    </>
  );
}
