import { leftOutFault } from '../fault.ts';
import { mkdocsFile, readMkdocsConfig } from '../mkdocs-config.ts';
import { readText } from '../read-text.ts';
import type { ReadOrder, WrittenOrder } from './written-order.ts';

/** Where the order of all documents is searched; the first existing file counts. */
const places: readonly RegExp[] = [
  /^(?:website\/|docs\/)?sidebars\.(?:json|[cm]?js|ts)$/,
  /^mkdocs\.yml$/,
  /^(?:docs\/)?(?:docs|mint)\.json$/,
  /^(?:docs\/)?SUMMARY\.md$/,
  /^(?:docs\/)?TOC\.md$/,
];

/** True for a file that may contain the order of all documents. */
export function mayHoldOrder(file: string): boolean {
  return places.some((place) => place.test(file));
}

/** The names of files beside docs/ that may contain it. */
export const orderFiles: readonly string[] = [
  ...['', 'website/'].flatMap((folder) =>
    ['json', 'js', 'cjs', 'mjs', 'ts'].map((ending) => `${folder}sidebars.${ending}`),
  ),
  ...[mkdocsFile, 'docs.json', 'mint.json', 'SUMMARY.md', 'TOC.md'],
];

/**
 * Finds the orders that authors wrote, by folder: one for all documents (`docs`), and one for each folder that has its
 * own (`docs/guide`). Each tool's reader is loaded only for its files.
 */
export async function readOrders(files: ReadonlyMap<string, string>): Promise<Map<string, WrittenOrder>> {
  const orders = new Map<string, WrittenOrder>();
  for (const place of places) {
    const file = [...files.keys()].find((name) => place.test(name));
    const order = file === undefined || orders.has('docs') ? undefined : await orderIn(file, files);
    if (order) orders.set('docs', order);
  }
  for (const file of files.keys()) {
    const folder = /^(docs\/.+)\/(?:SUMMARY|TOC)\.md$/.exec(file)?.[1];
    const order = folder === undefined || orders.has(folder) ? undefined : await orderIn(file, files);
    if (folder !== undefined && order) orders.set(folder, order);
  }
  return orders;
}

async function orderIn(file: string, files: ReadonlyMap<string, string>): Promise<WrittenOrder | undefined> {
  const path = files.get(file) ?? '';
  if (file === mkdocsFile) {
    const { mkdocsOrder } = await import('./mkdocs-nav.ts');
    return mkdocsOrder(readMkdocsConfig(path));
  }
  const source = readText(path);
  if ('problem' in source) return { file, items: [], faults: [leftOutFault(file, source.problem)] };
  return (await readerOf(file))(source.text, file);
}

async function readerOf(file: string): Promise<ReadOrder> {
  if (file.endsWith('.md')) return (await import('./summary.ts')).readSummary;
  if (/(?:docs|mint)\.json$/.test(file)) return (await import('./mintlify-navigation.ts')).readNavigation;
  return (await import('./docusaurus-sidebars.ts')).readSidebars;
}
