import { z } from 'zod';

/** What is thrown when settings are wrong: one sentence for each variable. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`The settings are not usable:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** What the README's table says of a setting. */
const settingMeta = z.object({ shown: z.string(), meaning: z.string() });

/** `publicUrl` as `PUBLIC_URL`. */
function variableOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/**
 * Reads an application's settings from environment variables: the key `publicUrl` is the variable `PUBLIC_URL`, and an
 * empty variable counts as unset.
 * @throws ConfigError with every fault
 */
export function readSettings<Schema extends z.ZodObject>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): z.infer<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((key) => {
      const text = env[variableOf(key)]?.trim();
      return text ? [[key, text]] : [];
    }),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map(({ path, message }) => `${variableOf(String(path[0]))} ${message}`));
}

/**
 * Checks groups of settings of which all must be set or none.
 * @throws ConfigError that names each missing variable and those that need it
 */
export function requireTogether(
  settings: Readonly<Record<string, unknown>>,
  groups: readonly (readonly string[])[],
): void {
  const faults = groups.flatMap((group) => {
    const given = group.filter((key) => settings[key] !== undefined);
    if (given.length === 0) return [];
    const named = given.map(variableOf).join(' and ');
    return group
      .filter((key) => settings[key] === undefined)
      .map((key) => `${variableOf(key)} must be set together with ${named}.`);
  });
  if (faults.length > 0) throw new ConfigError(faults);
}

/** The README's table of settings, in markdown. */
export function settingsTable(schema: z.ZodObject): string {
  const rows = Object.entries(schema.shape).map(([key, setting]) => {
    const { shown, meaning } = settingMeta.parse(z.globalRegistry.get(setting));
    return `| \`${variableOf(key)}\` | ${shown} | ${meaning} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n');
}
