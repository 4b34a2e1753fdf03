import type { Planned } from '../../../client/contract/reading.ts';
import type { Fault } from '../fault.ts';
import type { IndexedPage } from './pages.ts';

/** A planned page's notice: the release in its front matter, and the address of the release note. */
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
  const message = `No release note for ${release} is published: write ${note}, or \`planned: later\`.`;
  faults.push({ file, ...place, rule: 'unknown-release', message });
  return { release };
}
