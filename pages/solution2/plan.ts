import type { Catalogue } from '../../client/contract/catalogue.ts';
import type { Plan } from '../parts/architecture/plan.ts';
import { nameOf } from '../parts/solution/pairs.ts';

/** Files and tables on two paths to one application. */
export function planOf(catalogue: Catalogue): Plan {
  const postgres = nameOf(catalogue, 'postgresql');
  return {
    title: `The plan: a worker embeds files and stores the vectors in ${postgres}, from which a RAG API answers. Tables reach ${postgres} through change sync, and functions look rows up by key. An application queries both.`,
    stages: [
      {
        label: 'Sources',
        weight: 5,
        boxes: [
          { name: 'Files', note: nameOf(catalogue, 'google-drive'), kind: 'store' },
          { name: 'Tables', note: nameOf(catalogue, 'mysql'), kind: 'store' },
        ],
      },
      {
        label: 'Worker',
        weight: 6,
        frame: true,
        boxes: [
          { name: 'Load and embed', kind: 'step' },
          { name: 'Change sync', kind: 'step', live: true },
        ],
      },
      {
        label: 'Store',
        weight: 5,
        boxes: [
          { name: 'Vectors', note: postgres, kind: 'store' },
          { name: 'Current rows', note: postgres, kind: 'store' },
        ],
      },
      {
        label: 'Answers',
        weight: 5,
        boxes: [
          { name: 'RAG API', note: 'search, rerank, answer', kind: 'step' },
          { name: 'Functions', note: 'look up by key', kind: 'step' },
        ],
      },
      { label: 'Assistant', weight: 4, boxes: [{ name: 'Application', kind: 'step' }] },
    ],
    flows: [{ marks: [1, 2] }, { marks: [] }, { marks: [3, 4] }, { marks: [] }],
  };
}
