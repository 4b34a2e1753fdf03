import type { ComponentType } from 'react';
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
import { functions, type JobFunction } from './functions.ts';

const drawings: Record<JobFunction['id'], ComponentType> = {
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
        <a className="arrow-link" href={item.href}>
          {item.linkLabel}
        </a>
      </div>
    </div>
  );
}

/**
 * Eight functions as tabs: radio buttons choose the panel by CSS. A label stands before its panel, so that a narrow
 * screen shows the same thing as an accordion.
 */
export function Functions() {
  return (
    <section className="section wrap" aria-labelledby="functions">
      <SectionHead
        id="functions"
        title="One job, from the first row to the last check"
        lede="A job carries structures, the rows that exist and every change after them, and then shows whether both sides agree."
      />
      <fieldset className="functions">
        <legend className="visually-hidden">Function to show</legend>
        {functions.map((item, at) => [
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
