import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** For each `npm test -- …`, whether it needs browsers and PostgreSQL. */
const expected: Record<string, [browsers: boolean, postgres: boolean]> = {
  '': [true, true],
  'server/content': [true, true],
  '--project unit': [false, false],
  '--project=unit --project site': [true, false],
  '--project engine-18': [false, true],
  '--project console -t x': [true, true],
  '--project con*': [true, true],
  '--project=*': [true, true],
  '--project=!engine': [true, true],
  '--project unit --project e*': [true, true],
};

test('what a run of some projects needs is looked for, and all of it where a pattern names them', () => {
  const code = `import { chosenProjects } from './chosen-projects.mjs';
    const made = ${JSON.stringify(Object.keys(expected))}.map((words) => {
      const isRun = chosenProjects(words.split(' '));
      return [words, [isRun('site', 'console'), isRun('console', 'engine', 'engine-18')]];
    });
    console.log(JSON.stringify(Object.fromEntries(made)));`;
  const options = { cwd: import.meta.dirname, encoding: 'utf8' } as const;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], options);
  expect(JSON.parse(said)).toEqual(expected);
});
