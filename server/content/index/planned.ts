import type { Planned } from '../../../client/contract/reading.ts';
import type { Fault } from '../fault.ts';
import type { IndexedPage } from './pages.ts';

/** What the box of a planned page says: the release that its front matter names, and the address of its note. */
export function plannedOf(
  { file, facts }: IndexedPage,
  pageOf: (file: string) => IndexedPage | undefined,
  faults: Fault[],
): Planned | undefined {
  if (!facts.front.planned) return undefined;
  const { name: release, ...place } = facts.front.planned;
  if (release === 'later') return { release };
  const note = `docs/releaseNote/rn-${release.replaceAll('.', '-')}.md`;
  const page = pageOf(note);
  if (page) return { release, note: page.address };
  const message = `No release note of ${release} is served: write ${note}, or \`planned: later\`.`;
  faults.push({ file, ...place, rule: 'unknown-release', message });
  return { release };
}
