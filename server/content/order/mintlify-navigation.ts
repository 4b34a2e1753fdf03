import { z } from 'zod';
import { type DataPath, type Position, readYaml } from '../yaml.ts';
import type { OrderItem, ReadOrder } from './written-order.ts';

const node = z.record(z.string(), z.unknown());
// What contains other entries, and the key with each one's name.
const containers = {
  tabs: 'tab',
  anchors: 'anchor',
  dropdowns: 'dropdown',
  products: 'product',
  groups: 'group',
  menu: 'item',
} as const;

/**
 * The `navigation` of Mintlify's `docs.json`, with nested tabs, anchors, groups and pages; and of the older
 * `mint.json`.
 */
export const readNavigation: ReadOrder = (text, file) => {
  const { raw, faults, at } = readYaml(text, { file, firstLine: 1 });
  const root = node.safeParse(raw);
  const navigation = root.success ? root.data.navigation : undefined;
  return { file, faults, items: navigation === undefined ? [] : itemsIn(navigation, ['navigation'], at) };
};

type At = (path: DataPath) => Position;

function itemsIn(value: unknown, path: DataPath, at: At): OrderItem[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => itemOf(entry, [...path, index], at));
  const read = node.safeParse(value);
  if (!read.success) return [];
  const { languages, versions, pages } = read.data;
  for (const variants of [languages, versions])
    if (Array.isArray(variants)) {
      const index = Math.max(variants.findIndex(isDefault), 0);
      return itemsIn(variants[index], [...path, variants === languages ? 'languages' : 'versions', index], at);
    }
  const inner = Object.keys(containers).flatMap((key) => itemsIn(read.data[key] ?? [], [...path, key], at));
  return [...inner, ...itemsIn(pages ?? [], [...path, 'pages'], at)];
}

/** Of several languages or versions, one is shown. */
function isDefault(value: unknown): boolean {
  const read = node.safeParse(value);
  return read.success && (read.data.default === true || read.data.language === 'en');
}

function itemOf(value: unknown, path: DataPath, at: At): OrderItem[] {
  if (typeof value === 'string') return pageItem(value, at(path));
  const read = node.safeParse(value);
  if (!read.success) return [];
  const { root, href } = read.data;
  const label = Object.values(containers)
    .map((key) => read.data[key])
    .find((name) => typeof name === 'string');
  const items = itemsIn(value, path, at);
  if (typeof label !== 'string') return items;
  if (items.length === 0) return typeof href === 'string' ? [{ kind: 'link', href, label, ...at(path) }] : [];
  return [{ kind: 'group', label, items, ...at(path), ...(typeof root === 'string' && { page: root }) }];
}

/** `GET /users` stands for a page that would be generated from an API description. */
function pageItem(page: string, place: Position): OrderItem[] {
  if (/^(?:(?:\S+\.(?:json|ya?ml) )?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|webhook) )/i.test(page)) return [];
  return [{ kind: 'page', page: page.replace(/^\//, ''), ...place }];
}
