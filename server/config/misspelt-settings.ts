import type { z } from 'zod';
import { type Environment, variableOf } from './read-settings.ts';

/**
 * Environment variables that are one typing error away from a setting that is not set, or that name the same service in
 * other words, each with the likely intended setting: `DATABASE_URI`, `MAIL_FORM`, `smtp_url`, `SMTP_HOST`.
 */
export function misspeltSettings(
  schemas: readonly z.ZodObject[],
  env: Environment,
): [variable: string, meant: string][] {
  const settings = schemas.flatMap(({ shape }) => Object.keys(shape).map(variableOf));
  // Too many other words are close to a name as short as PORT.
  const unset = settings.filter((setting) => !env[setting] && setting.length > 4);
  return Object.keys(env)
    .filter((variable) => !settings.includes(variable))
    .flatMap((variable): [string, string][] => {
      const name = variable.toUpperCase();
      const meant = unset.find((setting) => isOneSlipAway(name, setting)) ?? ofSameService(name, settings, env);
      return meant === undefined ? [] : [[variable, meant]];
    });
}

/** First words of settings for services that other programs set in several variables, such as `SMTP_HOST`. */
const services = ['DATABASE', 'MAIL', 'OIDC', 'SMS', 'SMTP', 'STRIPE'];
/** What Kubernetes sets for a service of that name. */
const ofKubernetes = /^[^_]+_(?:SERVICE|PORT)(?:_|$)/;

/** The first setting with the same first word, if none of those is set. */
function ofSameService(name: string, settings: readonly string[], env: Environment): string | undefined {
  const [word = ''] = name.split('_', 1);
  if (name === word || !services.includes(word) || ofKubernetes.test(name)) return undefined;
  const alike = settings.filter((setting) => setting.startsWith(`${word}_`));
  return alike.some((setting) => env[setting]) ? undefined : alike[0];
}

/** Whether the names are equal, or differ by one wrong, missing or extra letter, or by two swapped neighbours. */
export function isOneSlipAway(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && left === [...right].reverse().join('');
}
