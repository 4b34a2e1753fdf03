import type { Catalogue } from '../../client/contract/catalogue.ts';
import type { Plan } from '../parts/architecture/plan.ts';
import { nameOf } from '../parts/solution/pairs.ts';

/** Databases, one worker, a warehouse and its readers. */
export function planOf(catalogue: Catalogue): Plan {
  const store = (id: string, note?: string) => ({
    name: nameOf(catalogue, id),
    kind: 'store' as const,
    ...(note && { note }),
  });
  return {
    title:
      'The plan: three databases feed a worker with initial load, change sync, verification and correction. The worker writes to the warehouse and compares it with the sources. Dashboards, alerts and queries read the warehouse.',
    stages: [
      {
        label: 'Sources',
        weight: 5,
        boxes: [store('mysql', 'binlog'), store('postgresql', 'WAL'), store('oracle', 'redo log')],
      },
      {
        label: 'Worker',
        weight: 6,
        frame: true,
        boxes: [
          { name: 'Initial load', kind: 'step' },
          { name: 'Change sync', kind: 'step', live: true },
          { name: 'Verification', kind: 'step' },
          { name: 'Correction', kind: 'step' },
        ],
      },
      {
        label: 'Warehouse or lake',
        weight: 5,
        boxes: [store('iceberg'), store('clickhouse'), store('starrocks')],
      },
      {
        label: 'Readers',
        weight: 4,
        boxes: [
          { name: 'Dashboards', kind: 'step' },
          { name: 'Alerts', kind: 'step' },
          { name: 'Queries', kind: 'step' },
        ],
      },
    ],
    flows: [{ marks: [1] }, { marks: [2], back: 3 }, { marks: [4] }],
  };
}
