import { z } from 'zod';

/** Thrown when settings are wrong: one sentence for each variable. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings are not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** What the README's table says about a setting. */
const settingMeta = z.object({ shown: z.string(), meaning: z.string() });

/** `publicUrl` as `PUBLIC_URL`. */
export function variableOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Variables by name, as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's text without the space around it, such as the line end of a file from Windows. */
const textOf = (env: Environment, key: string) => env[variableOf(key)]?.trim();

/** What is set of these settings, by their keys: the key `publicUrl` is the variable `PUBLIC_URL`. */
export function givenOf(schema: z.ZodObject, env: Environment): [key: string, text: string][] {
  return Object.keys(schema.shape).flatMap((key): [string, string][] => {
    const text = textOf(env, key);
    return text ? [[key, text]] : [];
  });
}

/**
 * Reads an application's settings from environment variables; an empty variable counts as unset.
 * @param groups settings that must be set together or not at all
 * @param others faults that lie between settings, to be reported with those of single ones
 * @throws ConfigError with every fault
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  env: Environment,
  groups: readonly (readonly string[])[] = [],
  others: readonly string[] = [],
): z.infer<Schema> {
  const given = givenOf(schema, env);
  const quoted = given.filter(isQuoted).map(([key]) => key);
  const parsed = schema.safeParse(Object.fromEntries(given.filter(([key]) => !quoted.includes(key))));
  const between = [...missingBeside(env, groups), ...others];
  if (parsed.success && quoted.length === 0 && between.length === 0) return parsed.data;
  const quotes = 'is in quotes, which are part of its value, as docker --env-file keeps them: write it without quotes.';
  const issues = parsed.error?.issues ?? [];
  throw new ConfigError([
    ...quoted.map((key) => `${variableOf(key)} ${quotes}`),
    ...issues.map(({ path, message }) => `${variableOf(String(path[0]))} ${message}`),
    ...between,
  ]);
}

function isQuoted([key, text]: [string, string]): boolean {
  // Stored data was encrypted with the key including its quotes.
  return key !== 'secretKey' && /^(?:".*"|'.*')$/s.test(text);
}

/** A sentence for each variable that is missing in a group, with those that need it. */
function missingBeside(env: Environment, groups: readonly (readonly string[])[]): string[] {
  return groups.flatMap((group) => {
    const given = group.filter((key) => textOf(env, key));
    if (given.length === 0) return [];
    const named = given.map(variableOf).join(' and ');
    return group
      .filter((key) => !given.includes(key))
      .map((key) => `${variableOf(key)} must be set together with ${named}.`);
  });
}

/** The README's table of settings, in markdown. */
export function settingsTable(schema: z.ZodObject): string {
  const rows = Object.entries(schema.shape).map(([key, setting]) => {
    const { shown, meaning } = settingMeta.parse(z.globalRegistry.get(setting));
    return `| \`${variableOf(key)}\` | ${shown} | ${meaning} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
