import { posix } from 'node:path';
import { z } from 'zod';
import { type MkdocsConfig, mkdocsFile } from '../mkdocs-config.ts';
import type { DataPath } from '../yaml.ts';
import { isExternal, type OrderItem, orderFault, type WrittenOrder } from './written-order.ts';

const entry = z.union([z.string(), z.record(z.string(), z.unknown())]);

/**
 * Reads the `nav` of `mkdocs.yml`: paths, labels with paths, labels with lists; undefined when it leaves the order to
 * the folders.
 */
export function mkdocsOrder(config: MkdocsConfig): WrittenOrder | undefined {
  const order: WrittenOrder = { file: mkdocsFile, items: [], faults: [...config.faults] };
  if (config.nav === undefined || config.nav === null) return config.faults.length > 0 ? order : undefined;
  // The documents' folder may be deeper than docs/.
  const folder = posix.relative('docs', config.docsDir);
  const reading = { config, order, folder: folder.startsWith('..') ? '' : folder };
  order.items = itemsOf(config.nav, ['nav'], reading);
  return order;
}

interface Reading {
  config: MkdocsConfig;
  order: WrittenOrder;
  folder: string;
}

function itemsOf(value: unknown, path: DataPath, reading: Reading): OrderItem[] {
  if (!Array.isArray(value)) return notUnderstood(path, reading);
  return value.flatMap((item, index) => {
    const read = entry.safeParse(item);
    const place = [...path, index];
    if (!read.success) return notUnderstood(place, reading);
    if (typeof read.data === 'string') return pageItem(read.data, undefined, place, reading);
    return Object.entries(read.data).flatMap(([label, inner]) => labelled(label, inner, [...place, label], reading));
  });
}

function labelled(label: string, inner: unknown, path: DataPath, reading: Reading): OrderItem[] {
  if (typeof inner === 'string') return pageItem(inner, label, path, reading);
  const [first, ...rest] = itemsOf(inner, path, reading);
  const at = reading.config.at(path);
  // A folder's own page that comes first belongs to the group's name.
  if (first?.kind === 'page' && first.label === undefined && /(?:^|\/)(?:index|README)\.md$/.test(first.page))
    return [{ kind: 'group', label, page: first.page, items: rest, ...at }];
  return [{ kind: 'group', label, items: first ? [first, ...rest] : [], ...at }];
}

function pageItem(path: string, label: string | undefined, place: DataPath, { config, folder }: Reading): OrderItem[] {
  if (isExternal(path)) return [{ kind: 'link', href: path, label: label ?? path, ...config.at(place) }];
  if (path.endsWith('/'))
    return [{ kind: 'folder', folder: posix.join(folder, path.slice(0, -1)), ...config.at(place) }];
  return [{ kind: 'page', page: posix.join(folder, path), ...config.at(place), ...(label && { label }) }];
}

function notUnderstood(path: DataPath, { config, order }: Reading): [] {
  order.faults.push(
    orderFault(order.file, config.at(path), 'This nav entry is not a path, a label with a path, or a list.'),
  );
  return [];
}
