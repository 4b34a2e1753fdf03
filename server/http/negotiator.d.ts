// The published types lag behind the package: they lack `preferred`.
declare module 'negotiator' {
  class Negotiator {
    constructor(req: { headers: Record<string, string | undefined> });
    /** The coding that the client prefers among those offered; among equals the first in `preferred`. */
    encoding<Offered extends string>(
      offered: readonly Offered[],
      options: { preferred: readonly Offered[] },
    ): Offered | undefined;
  }
  export = Negotiator;
}
