import { element } from '../browser/element.ts';
import { parseJson } from '../browser/json.ts';
import { local } from '../browser/storage.ts';
import { numberedIds } from '../contract/frame-ids.ts';
import { revealTarget } from './reveal.ts';

const name = 'tabs';
const atMost = 50;
let made = 0;

/** Chosen labels, newest first: a group shows the newest one that it has. */
function remembered(): string[] {
  const kept = parseJson(local.get(name));
  return Array.isArray(kept) ? kept.filter((label) => typeof label === 'string') : [];
}

const tabsOf = (group: HTMLElement) => [...group.querySelectorAll<HTMLElement>(':scope > [role=tablist] > [role=tab]')];
const labelOf = (section: HTMLElement) => section.dataset.label ?? '';
const sectionsOf = (group: HTMLElement) => [...group.querySelectorAll<HTMLElement>(':scope > .tab')];

function select(group: HTMLElement, chosen: number): void {
  for (const [at, section] of sectionsOf(group).entries()) {
    const tab = tabsOf(group)[at];
    const selected = at === chosen;
    // Hidden sections are found by the browser's search, and by links to a text.
    if (selected) section.removeAttribute('hidden');
    else section.setAttribute('hidden', 'until-found');
    if (!tab) continue;
    tab.ariaSelected = String(selected);
    tab.tabIndex = selected ? 0 : -1;
  }
}

/** Selects a tab, and its label in every other group that has it, without moving the text being read. */
function choose(from: HTMLElement, chosen: HTMLElement): void {
  const label = labelOf(chosen);
  const before = from.getBoundingClientRect().top;
  for (const group of document.querySelectorAll<HTMLElement>('[data-tabs]')) {
    const sections = sectionsOf(group);
    const at = group === from ? sections.indexOf(chosen) : sections.findIndex((section) => labelOf(section) === label);
    if (at >= 0) select(group, at);
  }
  scrollBy(0, from.getBoundingClientRect().top - before);
  local.set(name, JSON.stringify([...new Set([label, ...remembered()])].slice(0, atMost)));
}

function step(event: KeyboardEvent, group: HTMLElement): void {
  const tabs = tabsOf(group);
  const at = tabs.findIndex((tab) => tab.matches(':focus'));
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
  const tab = to === undefined ? undefined : tabs.at(to % tabs.length);
  if (!tab) return;
  event.preventDefault();
  tab.focus();
  tab.click();
}

function makeGroup(group: HTMLElement): void {
  const tabs = sectionsOf(group).map((section) => {
    made += 1;
    section.id ||= `${numberedIds.tabPanel}-${made}`;
    const label = labelOf(section);
    const tab = element(
      'button',
      { type: 'button', role: 'tab', id: `${numberedIds.tab}-${made}`, 'aria-controls': section.id },
      label,
    );
    tab.addEventListener('click', () => choose(group, section));
    // The section found is shown, but not remembered as a choice.
    section.addEventListener('beforematch', () => select(group, sectionsOf(group).indexOf(section)));
    section.role = 'tabpanel';
    section.setAttribute('aria-labelledby', tab.id);
    return tab;
  });
  const list = element('div', { role: 'tablist' }, ...tabs);
  list.addEventListener('keydown', (event) => step(event, group));
  const labels = sectionsOf(group).map(labelOf);
  group.prepend(list);
  select(group, Math.max(labels.indexOf(remembered().find((label) => labels.includes(label)) ?? ''), 0));
}

/** Turns sections that the server rendered one below the other into tabs. */
export function makeTabs(): void {
  for (const group of document.querySelectorAll<HTMLElement>('[data-tabs]:not(:has(> [role=tablist]))'))
    makeGroup(group);
  revealTarget();
}
