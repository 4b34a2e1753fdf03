import type { ComponentType } from 'react';
import type { HomeText, JobFunction, JobFunctionId } from '../../client/contract/page-texts.ts';
import { ArrowLink } from '../parts/ArrowLink.tsx';
import { ChangeSync } from '../parts/drawings/ChangeSync.tsx';
import { Correction } from '../parts/drawings/Correction.tsx';
import { FullLoad } from '../parts/drawings/FullLoad.tsx';
import { Monitoring } from '../parts/drawings/Monitoring.tsx';
import { Processing } from '../parts/drawings/Processing.tsx';
import { SchemaMapping } from '../parts/drawings/SchemaMapping.tsx';
import { TwoWay } from '../parts/drawings/TwoWay.tsx';
import { Verification } from '../parts/drawings/Verification.tsx';
import { SectionHead } from '../parts/SectionHead.tsx';
import { Ticks } from '../parts/Ticks.tsx';

const drawings: Record<JobFunctionId, ComponentType> = {
  full: FullLoad,
  incremental: ChangeSync,
  schema: SchemaMapping,
  processing: Processing,
  verification: Verification,
  correction: Correction,
  'two-way': TwoWay,
  monitoring: Monitoring,
};

function Panel({ item }: { item: JobFunction }) {
  const Drawing = drawings[item.id];
  return (
    <div className="function-panel">
      <div className="figure-box">
        <Drawing />
      </div>
      <div>
        <h3>{item.name}</h3>
        <p>{item.text}</p>
        <Ticks items={item.ticks} />
        <ArrowLink {...item.link} />
      </div>
    </div>
  );
}

/**
 * Functions as tabs: radio buttons choose the panel by CSS. Each label comes before its panel, so a narrow screen can
 * show the same elements as an accordion.
 */
export function Functions({ text }: { text: HomeText['functions'] }) {
  return (
    <section className="section wrap" aria-labelledby="functions">
      <SectionHead id="functions" text={text} />
      <fieldset className="functions">
        <legend className="visually-hidden">Function to show</legend>
        {text.items.map((item, at) => [
          <label key={item.id} className="function-tab">
            <input type="radio" name="function" value={item.id} defaultChecked={at === 0} />
            {item.name}
          </label>,
          <Panel key={`${item.id}-panel`} item={item} />,
        ])}
      </fieldset>
    </section>
  );
}
