import { closest } from '../browser/element.ts';
import { openOnHover } from '../ui/drop-down.ts';

const menus = () => document.querySelectorAll<HTMLDetailsElement>('.bar details');

/** Closes what is open in the bar, except menus around or at `except`. */
export function closeMenus(except?: Node | null): void {
  for (const menu of menus()) {
    if (except && menu.contains(except)) continue;
    // Closing an element that has the focus would lose the focus.
    if (menu.open && menu.contains(document.activeElement)) menu.querySelector('summary')?.focus();
    menu.open = false;
  }
}

function stepThrough(event: KeyboardEvent, menu: HTMLDetailsElement): void {
  menu.open = true;
  const stops = [...menu.querySelectorAll<HTMLElement>('summary, a, button')].filter((stop) => stop.checkVisibility());
  const step = event.key === 'ArrowDown' ? 1 : -1;
  const at = stops.findIndex((stop) => stop.matches(':focus'));
  stops.at((at + step) % stops.length)?.focus();
  event.preventDefault();
}

function onKey(event: KeyboardEvent): void {
  const menu = closest(event, '.bar details');
  if (event.key === 'Escape') {
    const open = [...menus()].find((one) => one.open);
    closeMenus();
    open?.querySelector('summary')?.focus();
  } else if (menu instanceof HTMLDetailsElement && /^Arrow(Down|Up)$/.test(event.key)) stepThrough(event, menu);
}

/**
 * Drop-downs, account menu and mobile menu: <details> works on its own, this adds hover, arrows, Escape and closing.
 */
export function startMenus(): void {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.bar-groups details')) openOnHover(menu);
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', (event) => {
    // A visitor who tries the mobile menu's themes sees the next one without reopening it.
    const choice = closest(event, '.bar details :is(a, button):not(.mobile-theme *)');
    closeMenus(choice || !(event.target instanceof Node) ? null : event.target);
  });
  // What another width has hidden must not be open when it comes back.
  addEventListener('resize', () => {
    for (const menu of menus()) menu.open &&= menu.checkVisibility();
  });
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Node) closeMenus(target);
  });
}
