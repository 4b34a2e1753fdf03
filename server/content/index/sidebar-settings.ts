import { z } from 'zod';
import { type Fault, leftOutFault } from '../fault.ts';
import type { OrderItem } from '../order/written-order.ts';
import { readText } from '../read-text.ts';
import { type DataPath, type Position, parseYaml } from '../yaml.ts';

type SidebarItem = string | { label: string; items: SidebarItem[] };

export interface GroupSettings {
  file: string;
  label?: string;
  position?: number;
  /** Document that the group's name links to. */
  page?: string;
  items: OrderItem[];
}

const item: z.ZodType<SidebarItem> = z.lazy(() =>
  z.union([z.string(), z.object({ label: z.string(), items: z.array(item) })]),
);
const group = z.object({
  label: z.string().optional(),
  position: z.number().optional(),
  items: z.array(item).default([]),
});
// Docusaurus' files contain more keys than these, and JSON is YAML.
const category = z.looseObject({
  label: z.string().optional(),
  position: z.number().optional(),
  link: z.looseObject({ type: z.string(), id: z.string().optional() }).nullish(),
});

/**
 * Reads `docs/<group>/sidebar.yml` and Docusaurus' `_category_` files: settings by folder, e.g. `docs/intro`. Ours take
 * precedence.
 */
export function readSidebarSettings(files: ReadonlyMap<string, string>, faults: Fault[]): Map<string, GroupSettings> {
  const found = new Map<string, GroupSettings>();
  for (const [file, path] of files) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    const own = file.endsWith('/sidebar.yml');
    if (!own && !/\/_category_\.\w+$/.test(file)) continue;
    if (!own && found.has(folder) && files.has(`${folder}/sidebar.yml`)) continue;
    const source = readText(path);
    if ('problem' in source) faults.push(leftOutFault(file, source.problem));
    else found.set(folder, own ? ownGroup(source.text, file, faults) : categoryGroup(source.text, file, faults));
  }
  return found;
}

function ownGroup(text: string, file: string, faults: Fault[]): GroupSettings {
  const read = parseYaml(text, group, { file, firstLine: 1 });
  faults.push(...read.faults);
  return { file, items: orderItems(read.value?.items ?? [], ['items'], read.at), ...named(read.value) };
}

function categoryGroup(text: string, file: string, faults: Fault[]): GroupSettings {
  const read = parseYaml(text, category, { file, firstLine: 1 });
  faults.push(...read.faults);
  const { link } = read.value ?? {};
  return { file, items: [], ...named(read.value), ...(link?.type === 'doc' && link.id && { page: link.id }) };
}

type Named = { label?: string | undefined; position?: number | undefined } | undefined;

function named({ label, position }: Exclude<Named, undefined> = {}): Pick<GroupSettings, 'label' | 'position'> {
  return { ...(label && { label }), ...(position !== undefined && { position }) };
}

function orderItems(items: readonly SidebarItem[], path: DataPath, at: (path: DataPath) => Position): OrderItem[] {
  return items.map((one, index): OrderItem => {
    const place = [...path, index];
    if (typeof one === 'string') return { kind: 'page', page: one, ...at(place) };
    return { kind: 'group', label: one.label, items: orderItems(one.items, [...place, 'items'], at), ...at(place) };
  });
}
