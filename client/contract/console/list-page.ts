/** A part of a list, as returned by calls with `page` and `pageSize`. */
export interface ListPage<Item> {
  /** Number of entries in the whole list. */
  total: number;
  items: Item[];
}
