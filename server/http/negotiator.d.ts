// The published types lag behind the package: they know no `preferred`.
declare module 'negotiator' {
  class Negotiator {
    constructor(req: { headers: Record<string, string | undefined> });
    /** The coding the client likes best of those offered; among equals the first of `preferred`. */
    encoding<Offered extends string>(
      offered: readonly Offered[],
      options: { preferred: readonly Offered[] },
    ): Offered | undefined;
  }
  export = Negotiator;
}
