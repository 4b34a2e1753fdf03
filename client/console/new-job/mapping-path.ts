/** An object in a mapping rule, inside its parents. */
export interface MappingPath {
  value: string;
  parent?: MappingPath;
}

/**
 * An object as a mapping rule names it.
 * @param names from the object up to its database
 */
export function mappingPath(...names: string[]): string {
  const nested = names.reduceRight<MappingPath | undefined>(
    (parent, value) => (parent ? { value, parent } : { value }),
    undefined,
  );
  return JSON.stringify(nested);
}
