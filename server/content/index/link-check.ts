import type { Fault } from '../fault.ts';
import type { StoredFacts } from '../page-schema.ts';
import type { Links } from './links.ts';
import type { PageTable } from './page-table.ts';
import type { IndexedPage } from './pages.ts';

/**
 * Checks the references of all pages and remembers the results: after an edit only what it affects is checked again.
 */
export interface LinkCheck {
  /** The faults of every page, including those found while compiling. */
  faults(
    pages: readonly IndexedPage[],
    table: PageTable,
    others: string,
    linksOf: (page: IndexedPage) => Links,
  ): Fault[];
  /** Files other than markdown have changed. */
  forget(): void;
}

interface Checked {
  facts: StoredFacts;
  /** Faults of the page's own file. */
  own: Fault[];
  /** Faults of the files that it includes. */
  included: Fault[];
  /** Pages whose anchors were checked, with the facts used. */
  anchors: Map<string, StoredFacts>;
}

/** Creates a check that knows nothing yet. */
export function createLinkCheck(): LinkCheck {
  const known = new Map<string, Checked>();
  let shape = '';
  return {
    faults(pages, table, others, linksOf) {
      const now = shapeOf(pages, others);
      if (now !== shape) known.clear();
      shape = now;
      const found = pages.map((page) => {
        const before = known.get(page.file);
        const checked = before && isValid(before, page, table) ? before : check(page, linksOf(page));
        known.set(page.file, checked);
        return checked;
      });
      return [...found.flatMap(({ own }) => own), ...eachOnce(found)];
    },
    forget: () => known.clear(),
  };
}

/**
 * The faults of included files that no page reports as its own or before: where a part is indented, the column of its
 * faults differs.
 */
function eachOnce(found: readonly Checked[]): Fault[] {
  const place = ({ file, line, rule, message }: Fault): string => `${file}:${line}:${rule}:${message}`;
  const told = new Set(found.flatMap(({ own }) => own.map(place)));
  return found
    .flatMap(({ included }) => included)
    .filter((fault) => {
      const isNew = !told.has(place(fault));
      told.add(place(fault));
      return isNew;
    });
}

/** Everything except anchors that affects link targets. */
function shapeOf(pages: readonly IndexedPage[], others: string): string {
  const parts = pages.map(
    ({ file, address, facts: { front } }) => `${file}\n${address}\n${front.id?.name}\n${front.aliases}`,
  );
  return `${parts.join('\n')}\n\n${others}`;
}

function isValid(checked: Checked, page: IndexedPage, table: PageTable): boolean {
  if (checked.facts !== page.facts) return false;
  for (const [file, facts] of checked.anchors) if (table.byFile(file)?.facts !== facts) return false;
  return true;
}

function check(page: IndexedPage, links: Links): Checked {
  const { file, facts } = page;
  const anchors = new Map<string, StoredFacts>();
  const faults: Fault[] = facts.faults.map((fault) => ({ file, ...fault }));
  for (const reason of facts.broken ?? []) {
    faults.push({ file, line: 1, column: 1, rule: 'broken-page', message: reason });
  }
  for (const { kind, href, ...place } of facts.references) {
    const { problem, anchorOf } = kind === 'image' ? links.image(page, href) : links.link(page, href);
    if (problem) faults.push({ file, ...place, ...problem });
    if (anchorOf) anchors.set(anchorOf.file, anchorOf.facts);
  }
  // A built-in page may link to documents that another team's content does not have.
  const shown = page.builtIn ? [] : faults;
  const isOwn = (fault: Fault): boolean => fault.file === file;
  return { facts, anchors, own: shown.filter(isOwn), included: shown.filter((fault) => !isOwn(fault)) };
}
