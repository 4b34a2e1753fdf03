import { isRecord } from '../../browser/json.ts';
import type { Family } from '../../contract/jobs/data-sources.ts';

/** A setting of a family, as its JSON Schema describes it. */
export interface SettingField {
  name: string;
  title: string;
  description: string;
  kind: 'text' | 'number' | 'choice' | 'long' | 'secret';
  choices: string[];
  /** The form's initial value. */
  initial: string;
  /** The default value. */
  usual: string;
  optional: boolean;
  /** Rarely needed: shown below the others, folded away. */
  rare: boolean;
}

const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The fields of a family's form, in the order of its settings. */
export function settingFields({ settings, secrets }: Family): SettingField[] {
  const properties = isRecord(settings.properties) ? settings.properties : {};
  const required = Array.isArray(settings.required) ? settings.required : [];
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isRecord(schema)) return [];
    const choices = Array.isArray(schema.enum) ? schema.enum.map(text) : [];
    return [
      {
        name,
        title: text(schema.title) || name,
        description: text(schema.description),
        kind: kindOf(schema, secrets.includes(name), choices),
        choices,
        initial: text(schema.default),
        usual: text(schema.default),
        rare: schema.rare === true,
        optional: schema.default === '' || (schema.default === undefined && !required.includes(name)),
      },
    ];
  });
}

function kindOf(schema: Record<string, unknown>, isSecret: boolean, choices: readonly string[]): SettingField['kind'] {
  if (isSecret) return 'secret';
  if (choices.length > 0) return 'choice';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  return Number(schema.maxLength) > 10_000 ? 'long' : 'text';
}

/** The form's texts as the server expects them: numbers as numbers, empty optional fields left out. */
export function settingValues(
  fields: readonly SettingField[],
  values: Record<string, string>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, optional }): [string, unknown][] => {
      const value = values[name] ?? '';
      if (value === '' && optional) return [];
      return [[name, kind === 'number' ? Number(value) : value]];
    }),
  );
}
