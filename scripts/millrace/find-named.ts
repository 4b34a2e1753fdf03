import { ApiRefusal, UsageError } from './api-client.ts';

/**
 * The only one of a list that a word names.
 * @param kind for messages
 * @param list asked for only if there is a word
 * @param namesOf its number, name and description
 */
export async function findNamed<One>(
  kind: 'data source' | 'job',
  wanted: string,
  list: () => Promise<readonly One[]>,
  namesOf: (one: One) => readonly string[],
): Promise<One> {
  if (wanted === '') throw new UsageError(`Name a ${kind}.`);
  const found = (await list()).filter((one) => namesOf(one).includes(wanted));
  const [first, second] = found;
  if (!first) throw new ApiRefusal(`There is no ${kind} “${wanted}”.`);
  if (second) throw new ApiRefusal(`${found.length} ${kind}s are called “${wanted}”: use the number of one.`);
  return first;
}
