import { expect, test } from 'vitest';
import { jobActions, lifeCycles, phases, statuses } from '../../../client/contract/jobs/jobs.ts';
import { orderStates } from '../../content/drawings/order-states.ts';
import { readStates } from '../../content/drawings/read-states.ts';
import { engineErrors } from '../../engine/errors.ts';
import { cards } from '../../engine/systems/cards.ts';
import { jobErrors } from '../errors.ts';
import { jobParameters } from '../job-parameters.ts';
import { after, type JobState, possibleActions, transitions } from '../state.ts';
import { documentPrints } from './document-prints.ts';
import { markdownTable } from './markdown-table.ts';

const prints = documentPrints();

/** The first cell of each row, without code marks. */
function firstCells(key: string): string[] {
  const [, , ...rows] = (prints.get(key) ?? '').split('\n');
  return rows.map((row) => (row.split(' | ')[0] ?? '').replace(/^\| /, '').replaceAll('`', ''));
}

test('every setting, privilege and type of every card is printed', () => {
  for (const { family, settings, rights, types } of cards) {
    const required = settings.safeParse({}).error?.issues.map(({ path }) => String(path[0])) ?? [];
    for (const side of ['source', 'target'] as const) {
      expect(firstCells(`params ${family}.${side}`)).toEqual(expect.arrayContaining(required));
      for (const { example } of rights[side]) expect(prints.get(`rights ${family}.${side}`)).toContain(example);
    }
    for (const { names } of types)
      for (const name of names) expect(prints.get(`types ${family}`)).toContain(`\`${name}\``);
  }
});

test('every parameter, state, transition and error has a row', () => {
  expect(firstCells('params job')).toEqual(jobParameters.map(({ name }) => name));
  expect(firstCells('states job.life-cycle')).toEqual([...lifeCycles]);
  expect(firstCells('states job.phase')).toEqual([...phases]);
  expect(firstCells('states job.status')).toEqual([...statuses]);
  expect(firstCells('states job.actions')).toEqual([...jobActions]);
  expect(firstCells('states job.transitions')).toEqual(transitions.map(({ on }) => on));
  const errors = ['job', 'table', 'row'].flatMap((scope) => firstCells(`errors ${scope}`));
  expect(errors.toSorted()).toEqual(Object.keys(engineErrors).toSorted());
  expect(firstCells('errors api')).toEqual(Object.keys(jobErrors));
});

test('the matrix marks exactly the actions that are possible in each state', () => {
  const drawn = (prints.get('states job.matrix') ?? '')
    .split('\n')
    .slice(2)
    .flatMap((row) => {
      const [name = '', ...cells] = row
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.replaceAll('`', ''));
      const [status, lifeCycle = 'CREATED'] = name.split(', ');
      return cells.flatMap((cell, at) => (cell.trim() ? [`${lifeCycle} ${status} ${jobActions[at]}`] : []));
    });
  const possible = lifeCycles.flatMap((lifeCycle) =>
    statuses.flatMap((status) =>
      jobActions
        .filter((action) => phases.some((phase) => possibleActions({ lifeCycle, phase, status }).includes(action)))
        .map((action) => `${lifeCycle} ${status} ${action}`),
    ),
  );
  expect(drawn.toSorted()).toEqual(possible.toSorted());
});

test('the diagram has exactly the transitions of the table', () => {
  const block = prints.get('states job.drawing') ?? '';
  const graph = readStates(block.split('\n').slice(1, -1).join('\n'));
  if ('problems' in graph) throw new Error(graph.problems[0]?.problem);
  const drawn = graph.transitions.flatMap(({ event, asked, from, to }) =>
    from.map((state) => [state, event, to, asked].join(' ')),
  );
  const nameOf = ({ lifeCycle, status }: Pick<JobState, 'lifeCycle' | 'status'>) =>
    lifeCycle === 'CREATED' ? status : lifeCycle;
  const states = lifeCycles.flatMap((lifeCycle) =>
    phases.flatMap((phase) => statuses.map((status): JobState => ({ lifeCycle, phase, status }))),
  );
  const possible = states.flatMap((state) =>
    transitions.flatMap(({ on }) => {
      const end = after(on, state);
      const asked = jobActions.some((action) => action === on);
      return end ? [[nameOf(state), on, nameOf(end), asked].join(' ')] : [];
    }),
  );
  expect(drawn.toSorted()).toEqual([...new Set(possible)].toSorted());
});

test('in the diagram the states of a job that is never stopped run from top to bottom', () => {
  const graph = readStates((prints.get('states job.drawing') ?? '').split('\n').slice(1, -1).join('\n'));
  if ('problems' in graph) throw new Error(graph.problems[0]?.problem);
  const way = ['CREATING', 'INIT', 'WAIT_START', 'RUNNING', 'COMPLETE', 'DELETING', 'DELETED'];
  expect(orderStates(graph).filter((state) => way.includes(state))).toEqual(way);
});

test('a table cell keeps its bars and line breaks', () => {
  expect(markdownTable(['A'], [['a | b'], ['one\ntwo']])).toBe('| A |\n| --- |\n| a \\| b |\n| one<br>two |');
});

test('all rows of a printed table have the same number of cells, and none is undefined or an object', () => {
  for (const [key, text] of prints) {
    const widths = text.split('\n').map((row) => row.split(/(?<!\\)\|/).length);
    if (text.startsWith('|')) expect([key, new Set(widths).size]).toEqual([key, 1]);
    expect([key, /undefined|\[object/.test(text)]).toEqual([key, false]);
  }
});
