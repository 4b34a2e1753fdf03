/** Waits for a site's search index, which takes a starved machine longer to build than one search waits. */
export async function untilSearchable(url: string): Promise<void> {
  for (let tries = 0; tries < 20 && !(await fetch(`${url}/search.json?q=mysql`)).ok; tries += 1);
}
