import type { Fault } from '../fault.ts';
import type { Position } from '../yaml.ts';

/** A sidebar entry. */
export type OrderItem =
  /** A document by its path below docs/ or by its id; `label` is the order's name for it. */
  | ({ kind: 'page'; page: string; label?: string } & Position)
  | ({ kind: 'link'; href: string; label: string } & Position)
  /** All documents of a folder below docs/, in their own order. */
  | ({ kind: 'folder'; folder: string } & Position)
  | ({ kind: 'group'; label: string; page?: string; items: OrderItem[] } & Position);

/** The document order that authors wrote for another tool, in one common shape. */
export interface WrittenOrder {
  /** The file that contains it, below the content folder. */
  file: string;
  items: OrderItem[];
  faults: Fault[];
}

/** Reads one order; `file` is below the content folder. */
export type ReadOrder = (text: string, file: string) => WrittenOrder;

/** A fault in an order. */
export function orderFault(file: string, at: Position, message: string): Fault {
  return { file, ...at, rule: 'sidebar-item', message };
}

/** True for an address outside the documents. */
export function isExternal(href: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(href) || /^mailto:/i.test(href);
}

/** A camel-case or dashed name as words: `tutorialSidebar` is “Tutorial”. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/[-_]?sidebars?$/i, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[-_]+/g, ' ')
    .trim()
    .toLowerCase();
  return words ? `${words[0]?.toUpperCase()}${words.slice(1)}` : name;
}
