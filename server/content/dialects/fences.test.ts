import { expect, test } from 'vitest';
import { markdownLines } from '../../testing/normalised.ts';

/** The words in which a dialect finds its markers, since they are not code. */
const found = (source: string, isMdx = false) =>
  markdownLines(source, isMdx).flatMap((line) => /\[(\w)\]\(<\w>\)/.exec(line)?.[1] ?? []);

test.each([
  ['```\n[[a]]\n```\n[[b]]', ['b']],
  ['~~~ sh\n[[a]]\n~~~~ \n[[b]]', ['b']],
  ['````\n```\n[[a]]\n````\n[[b]]', ['b']],
  ['```\n~~~\n[[a]]\n``\n[[b]]\n``` x\n[[c]]\n   ```\n[[d]]', ['d']],
  ['- ```\n  [[a]]\n  ```\n[[b]]', ['b']],
  ['> 1. ~~~ x\n>    [[a]]\n>    ~~~\n[[b]]', ['b']],
  ['  12) ```\n      [[a]]\n      ```\n[[b]]', ['b']],
  ['``` a`b\n[[c]]', ['c']],
  ['text ```\n[[a]]', ['a']],
  ['```\n[[a]]', []],
])('%s', (source, words) => expect(found(source)).toEqual(words));

test('in MDX a fence ends at any indentation', () => {
  expect(found('```\n[[a]]\n        ```\n[[b]]', true)).toEqual(['b']);
  expect(found('```\n[[a]]\n        ```\n[[b]]')).toEqual([]);
});
