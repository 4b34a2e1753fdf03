import { sectionOf } from '../contract/section.ts';

/** Highlights a path's section in the bar and in the mobile menu. */
export function markSection(path: string): void {
  const section = sectionOf(path.replace(/\?.*/s, ''));
  for (const entry of document.querySelectorAll<HTMLElement>('[data-section]')) {
    entry.toggleAttribute('data-current', entry.dataset.section === section);
  }
}
