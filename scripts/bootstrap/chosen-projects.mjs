/**
 * Determines from vitest's arguments which test projects run. A pattern (`con*`, `!engine`) may match any of them.
 * @param {readonly string[]} given vitest's arguments
 * @returns {(...projects: string[]) => boolean} whether one of the projects runs
 */
export function chosenProjects(given) {
  const chosen = [...given.join(' ').matchAll(/--project[= ](\S+)/g)].map(([, name]) => name);
  const mayBeAny = chosen.length === 0 || chosen.some((name) => /[*!]/.test(name ?? ''));
  return (...projects) => mayBeAny || projects.some((project) => chosen.includes(project));
}
