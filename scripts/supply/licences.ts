import type { Component } from './sbom.ts';

/**
 * Allowed licences of packages that we run and distribute, by SPDX name. All of them permit this together with
 * Apache-2.0. MPL-2.0 only requires the source of changed files, and we change none; fonts under OFL-1.1 must not be
 * sold on their own, and are not.
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

/** Licences determined by hand for packages that do not declare one as npm expects. */
const readByHand: Readonly<Record<string, string>> = {
  // Its package.json has the obsolete list `licenses`.
  'format@0.2.2': 'MIT',
  // It has the licence text as a file but does not declare it.
  'png-js@2.0.0': 'MIT',
};

export interface Licensed {
  name: string;
  version: string;
  /** SPDX name or expression; several are separated by commas. */
  licence: string;
  allowed: boolean;
}

/** True for an allowed licence; if several apply at once, all of them must be allowed. */
const isAllowed = (expression: string) => expression.split(' AND ').every((licence) => allowed.has(licence));

/** The licence of each package, in alphabetical order. */
export function licencesOf(components: readonly Component[]): Licensed[] {
  return components
    .map(({ name, version, licenses = [] }) => {
      const named = licenses.map((one) => ('license' in one ? one.license.id : one.expression));
      const found = named.length > 0 ? named : [readByHand[`${name}@${version}`] ?? 'unknown'];
      return { name, version, licence: found.join(', '), allowed: found.every(isAllowed) };
    })
    .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.version.localeCompare(b.version, 'en'));
}
