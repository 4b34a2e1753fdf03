import type { z } from 'zod';
import { type Environment, variableOf } from './read-settings.ts';

/**
 * Variables of the environment that are one slip of the fingers away from a setting that is not set, each with what may
 * be meant: `DATABASE_URI`, `MAIL_FORM`, `smtp_url`.
 */
export function misspeltSettings(
  schemas: readonly z.ZodObject[],
  env: Environment,
): [variable: string, meant: string][] {
  const settings = schemas.flatMap(({ shape }) => Object.keys(shape).map(variableOf));
  // Of a name as short as PORT, too many other words are near.
  const unset = settings.filter((setting) => !env[setting] && setting.length > 4);
  return Object.keys(env)
    .filter((variable) => !settings.includes(variable))
    .flatMap((variable): [string, string][] => {
      const meant = unset.find((setting) => isOneSlipAway(variable.toUpperCase(), setting));
      return meant === undefined ? [] : [[variable, meant]];
    });
}

/** Whether a letter is another one, missing or too many, or two neighbours changed places; or nothing of it. */
function isOneSlipAway(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left === [...right].reverse().join('');
}
