import { engineErrors, type Retry, type Scope } from '../../engine/errors.ts';
import { jobErrors } from '../errors.ts';
import { code, markdownTable } from './markdown-table.ts';

const scopes: readonly Scope[] = ['job', 'table', 'row'];

const whoTriesAgain: Readonly<Record<Retry, string>> = {
  timed: 'the job, on its own',
  manual: 'you, after fixing it',
  never: 'no one',
};

/** The tables of `::errors`, by key: by how much stops, and the open API's refusals. */
export function errorTables(): [key: string, markdown: string][] {
  return [...scopes.map((scope): [string, string] => [scope, ofScope(scope)]), ['api', ofApi()]];
}

function ofScope(wanted: Scope): string {
  const rows = Object.entries(engineErrors)
    .filter(([, { scope }]) => scope === wanted)
    .map(([name, { sentence, hint, retry }]) => [
      code(name),
      sentence,
      // Table names are code.
      hint.replace(/\bmillrace_\w+/g, code),
      whoTriesAgain[retry],
    ]);
  return markdownTable(['Code', 'What happened', 'What to do', 'Who retries'], rows);
}

function ofApi(): string {
  const rows = Object.entries(jobErrors).map(([name, { status, msg }]) => [code(name), String(status), msg]);
  return markdownTable(['Code', 'HTTP status', 'What happened'], rows);
}
