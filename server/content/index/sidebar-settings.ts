/** Reads `docs/<group>/sidebar.yml` and Docusaurus' `_category_` files. */
import { z } from 'zod';
import { type Fault, leftOutFault } from '../fault.ts';
import { readText } from '../read-text.ts';
import { type DataPath, type Position, parseYaml } from '../yaml.ts';

export type SidebarItem = string | { label: string; items: SidebarItem[] };

export interface GroupSettings {
  file: string;
  label?: string;
  position?: number;
  items: SidebarItem[];
  at(path: DataPath): Position;
}

const item: z.ZodType<SidebarItem> = z.lazy(() =>
  z.union([z.string(), z.object({ label: z.string(), items: z.array(item) })]),
);
const group = z.object({
  label: z.string().optional(),
  position: z.number().optional(),
  items: z.array(item).default([]),
});

/** Settings by folder, e.g. `docs/intro`. Ours win over Docusaurus'. */
export function readSidebarSettings(files: ReadonlyMap<string, string>, faults: Fault[]): Map<string, GroupSettings> {
  const found = new Map<string, GroupSettings>();
  for (const [file, path] of files) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    const own = file.endsWith('/sidebar.yml');
    if (!own && found.has(folder) && files.has(`${folder}/sidebar.yml`)) continue;
    // Category files hold more keys than ours, and JSON is YAML.
    const source = readText(path);
    if ('problem' in source) {
      faults.push(leftOutFault(file, source.problem));
      continue;
    }
    const read = parseYaml(source.text, own ? group : group.omit({ items: true }).loose().transform(withoutItems), {
      file,
      firstLine: 1,
    });
    faults.push(...read.faults);
    const { label, position, items = [] } = read.value ?? {};
    found.set(folder, {
      file,
      items,
      at: read.at,
      ...(label && { label }),
      ...(position !== undefined && { position }),
    });
  }
  return found;
}

function withoutItems({
  label,
  position,
}: {
  label?: string | undefined;
  position?: number | undefined;
}): z.infer<typeof group> {
  return { label, position, items: [] };
}
