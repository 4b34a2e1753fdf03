import { z } from 'zod';
import type { Card } from '../../engine/systems/system.ts';
import { jobParameters } from '../job-parameters.ts';
import { code, markdownTable } from './markdown-table.ts';

const property = z.object({
  title: z.string(),
  description: z.string(),
  default: z.unknown().optional(),
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  maxLength: z.number().optional(),
});
const described = z.object({ properties: z.record(z.string(), property), required: z.array(z.string()).default([]) });

/** Settings of a data source, as its card checks them. @throws if a setting of the card has no description */
export function settingsTable({ settings, secrets }: Card): string {
  const { properties, required } = described.parse(z.toJSONSchema(settings, { io: 'input' }));
  const rows = Object.entries(properties).map(([name, about]) => [
    code(name),
    rangeOf(about),
    required.includes(name) ? 'required' : standardOf(about.default),
    `${about.description}${secrets.includes(name) ? ' Secret: encrypted at rest.' : ''}`,
  ]);
  return markdownTable(['Setting', 'Takes', 'Default', 'Meaning'], rows);
}

/** Job parameters that can be changed later. */
export function jobParametersTable(): string {
  const rows = jobParameters.map(({ name, range, standard, description }) => [
    code(name),
    range,
    code(standard),
    description,
  ]);
  return markdownTable(['Parameter', 'Takes', 'Default', 'Meaning'], rows);
}

function rangeOf(about: z.infer<typeof property>): string {
  if (about.enum) return about.enum.map(code).join(', ');
  if (about.minimum !== undefined && about.maximum !== undefined) return `${about.minimum} to ${about.maximum}`;
  return about.maxLength === undefined ? 'text' : `text, up to ${about.maxLength} characters`;
}

function standardOf(value: unknown): string {
  return value === '' || value === undefined ? 'empty' : code(String(value));
}
