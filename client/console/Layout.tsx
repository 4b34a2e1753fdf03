import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { calls } from '../contract/calls.ts';
import type { Installation } from '../contract/console/installation.ts';
import { consolePages } from '../contract/console/pages.ts';
import { useCall } from './calls.ts';
import { showInRow } from './parts/show-in-row.ts';
import { useFoundFocus } from './parts/use-found-focus.ts';
import { useScrollMemory } from './parts/use-scroll-memory.ts';

/** Navigation beside the page; a change of page sets the document's title and moves the focus to the page. */
export function Layout({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const page = useRef<HTMLDivElement>(null);
  useFoundFocus(page);
  useScrollMemory(path);
  const shown = useRef(path);
  const here = consolePages.find((one) => one.path === path);
  const title = here?.title ?? 'Console';
  const entryPath = here && 'within' in here ? here.within : path;
  const row = useRef<HTMLUListElement>(null);
  const entry = useRef<HTMLAnchorElement>(null);
  // The call is refused to everyone but the owner; without a seller's key there is no limit.
  const { data: installation } = useCall<Installation>(calls.installation);
  const needsLicence = (installation?.links ?? null) !== null;

  // Runs before the page's own effects, which may set a more specific title.
  useLayoutEffect(() => {
    document.title = `${title} · Console`;
  }, [title]);

  useEffect(() => {
    // In a narrow window the navigation is a row that scrolls.
    if (entry.current && row.current) showInRow(entry.current, row.current);
    if (shown.current === path) return;
    shown.current = path;
    page.current?.focus({ preventScroll: true });
  }, [path]);

  return (
    <>
      <nav className="console-nav" aria-label="Console">
        <ul
          ref={row}
          onFocus={({ currentTarget, target }) => {
            // Not while a pointer presses it: the entry would move away from it.
            if (target.matches(':focus-visible')) showInRow(target, currentTarget);
          }}
          onScroll={({ currentTarget }) => currentTarget.toggleAttribute('data-scrolled', currentTarget.scrollLeft > 0)}
        >
          {consolePages.map((one) =>
            'within' in one || ('for' in one && !needsLicence) ? null : (
              <li key={one.path}>
                <Link
                  href={one.path}
                  ref={one.path === entryPath ? entry : null}
                  aria-current={one.path === entryPath ? 'page' : undefined}
                >
                  {one.title}
                </Link>
              </li>
            ),
          )}
        </ul>
      </nav>
      <div className="console-page" ref={page} tabIndex={-1}>
        <h1>{title}</h1>
        {children}
      </div>
    </>
  );
}
