import type { Component } from './sbom.ts';

/**
 * Licences under which a package may be part of what we run and hand on, by their SPDX names. All of them permit that
 * beside Apache-2.0; MPL-2.0 asks for the source of changed files alone, and we change none; fonts
 * under OFL-1.1 may not be sold by themselves, and are not.
 */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]);

/** Licences that were read by hand, where a package does not name its own as npm expects. */
const readByHand: Readonly<Record<string, string>> = {
  // Its package.json has the list `licenses` of older days.
  'format@0.2.2': 'MIT',
  // It has the text as a file and names it nowhere.
  'png-js@2.0.0': 'MIT',
};

export interface Licensed {
  name: string;
  version: string;
  /** SPDX name or expression; several are separated by commas. */
  licence: string;
  allowed: boolean;
}

/** True for a licence of the list, and where several hold at once for each of them. */
const isAllowed = (expression: string) => expression.split(' AND ').every((licence) => allowed.has(licence));

/** The licence of each package, in alphabetical order of the packages. */
export function licencesOf(components: readonly Component[]): Licensed[] {
  return components
    .map(({ name, version, licenses = [] }) => {
      const named = licenses.map((one) => ('license' in one ? one.license.id : one.expression));
      const found = named.length > 0 ? named : [readByHand[`${name}@${version}`] ?? 'unknown'];
      return { name, version, licence: found.join(', '), allowed: found.every(isAllowed) };
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}
